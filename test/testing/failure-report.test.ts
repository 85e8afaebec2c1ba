import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { kitProject, MODULES } from './kit-project.js';

/** Runs tests that fail. @returns the report as JSON */
async function runFailing(project: string, runner: string, args: string[]): Promise<string> {
  const cwd = await kitProject(project, runner.split('/')[0] ?? '');
  const run = promisify(execFile)(process.execPath, [join(MODULES, runner), ...args], { cwd });
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  return stripVTControlCharacters(stdout + stderr);
}

test.each([
  ['vitest', 'vitest-failures', 'vitest/vitest.mjs', ['run', '--reporter=verbose']],
  ['Playwright', 'playwright-failures', '@playwright/test/cli.js', ['test', '--reporter=list']],
])('a failed test of %s says what its reactor did, without a double', async (_, project, runner, args) => {
  const output = await runFailing(project, runner, args);
  expect(output).toMatch(/Reactor that failed in this test:\s+POST \/reactors\/\S+\/react {2}500/);
  expect(output).toMatch(/Error: no response\s+at .*\.\.\/charge\.ts:9:9/);
  expect(output).toMatch(
    /console\.log: charging\s+sent POST https:\/\/api\.processor\.example\/charges {2}402/,
  );
  expect(output).toContain('POST https://api.processor.example/charges: the nearest double is any method');
  expect(output).toMatch(/UnexpectedCallError: An unexpected request was sent/);
  expect(output).toMatch(/2 failed/);
});
