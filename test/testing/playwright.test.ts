import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { kitProject, MODULES } from './kit-project.js';

// test/fixtures/shop.test.ts uses the kit in a browser.
test('tests of two workers do not notice each other on one emulator', async () => {
  const cwd = await kitProject('playwright-project', '@playwright');
  const options = { cwd, maxBuffer: 16 * 1024 * 1024 };
  const args = [join(MODULES, '@playwright/test/cli.js'), 'test', '--reporter=json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
    (error: { stdout: string }) => error,
  );
  const { errors, stats, suites } = JSON.parse(stdout);
  expect(errors).toEqual([]);
  expect(stats.unexpected === 0 || suites).toBe(true);
  expect(stats).toMatchObject({ expected: 27, flaky: 0, skipped: 0 });
});
