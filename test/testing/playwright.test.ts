import { execFile } from 'node:child_process';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { projectDir } from '../support/project-dir.js';
import { width } from '../support/width.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RUNNER = join(ROOT, 'node_modules/@playwright/test/cli.js');

const whenFull = test.runIf(width(false, true));

/** A project that has this package and Playwright installed. */
async function playwrightProject(): Promise<string> {
  const directory = await projectDir({ 'package.json': '{ "type": "module" }' });
  for (const part of ['playwright-project', 'world.js'])
    await cp(new URL(part, import.meta.url), join(directory, part), { recursive: true });
  await mkdir(join(directory, 'node_modules'));
  await symlink(ROOT, join(directory, 'node_modules/tokenctl'));
  await symlink(join(ROOT, 'node_modules/@playwright'), join(directory, 'node_modules/@playwright'));
  return join(directory, 'playwright-project');
}

// test/fixtures/shop.test.ts uses the kit in a browser.
whenFull('tests of two workers do not notice each other on one emulator', async () => {
  const options = { cwd: await playwrightProject(), maxBuffer: 16 * 1024 * 1024 };
  const args = [RUNNER, 'test', '--reporter=json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
    (error: { stdout: string }) => error,
  );
  const { errors, stats, suites } = JSON.parse(stdout);
  expect(errors).toEqual([]);
  expect(stats.unexpected === 0 || suites).toBe(true);
  expect(stats).toMatchObject({ expected: 26, flaky: 0, skipped: 0 });
});
