import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { width } from '../support/width.js';

const PROJECT = fileURLToPath(new URL('vitest-project', import.meta.url));
const RUNNER = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

/** The workers at a time, and the tests of each of the eight files. */
const WORKERS = 8;
const WORLDS = 125;

const whenFull = test.runIf(width(false, true));

whenFull('tests of several workers on one emulator, shuffled, do not notice each other', async () => {
  const args = [RUNNER, 'run', '--reporter=json', '--silent'];
  const env = { ...process.env, WORKERS: String(WORKERS), WORLDS: String(WORLDS) };
  const options = { cwd: PROJECT, env, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  const report = JSON.parse(stdout.slice(stdout.indexOf('{"')));
  const failures = report.testResults.flatMap(
    ({ assertionResults }: { assertionResults: { failureMessages: string[] }[] }) =>
      assertionResults.flatMap(({ failureMessages }) => failureMessages),
  );
  expect(failures).toEqual([]);
  expect(report.numPassedTests).toBe(8 * WORLDS + 3);
});
