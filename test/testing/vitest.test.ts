import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { width } from '../support/width.js';
import { kitProject, MODULES } from './kit-project.js';

/** The workers at a time, and the tests of each of the eight files. */
const WORKERS = width(2, 8);
const WORLDS = width(5, 125);

test('tests of several workers on one emulator, shuffled, do not notice each other', async () => {
  const args = [join(MODULES, 'vitest/vitest.mjs'), 'run', '--reporter=json', '--silent'];
  const env = { ...process.env, WORKERS: String(WORKERS), WORLDS: String(WORLDS) };
  const options = { cwd: await kitProject('vitest-project', 'vitest'), env, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  const report = JSON.parse(stdout.slice(stdout.indexOf('{"')));
  const failures = report.testResults.flatMap(
    ({ assertionResults }: { assertionResults: { failureMessages: string[] }[] }) =>
      assertionResults.flatMap(({ failureMessages }) => failureMessages),
  );
  expect(failures).toEqual([]);
  expect(report.numPassedTests).toBe(8 * WORLDS + 4);
});
