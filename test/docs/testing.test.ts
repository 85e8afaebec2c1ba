import { execFile, spawnSync } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { PACKAGE, tokenctl } from '../support/executable.js';
import { projectDir } from '../support/project-dir.js';

/** Reads the first example of a section of docs/testing.md. */
async function exampleOf(section: string, language: string): Promise<string> {
  const page = await readFile(new URL('../../docs/testing.md', import.meta.url), 'utf8');
  const [, text = ''] = page.split(`\n## ${section}\n`);
  const [, code] = text.split(`\`\`\`${language}\n`);
  return code?.split('```')[0] ?? '';
}

/** The names that Jest makes global, of another runner of CommonJS. */
const JEST =
  "const { before: beforeAll, beforeEach, afterEach, after: afterAll, test } = require('node:test');\n";

test('the example for Jest passes in CommonJS', async () => {
  const cwd = await projectDir({ 'cards.test.cjs': JEST + (await exampleOf('With another runner', 'js')) });
  await mkdir(join(cwd, 'node_modules'));
  await symlink(PACKAGE, join(cwd, 'node_modules/tokenctl'));
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', 'cards.test.cjs'], { cwd });
  expect(stdout).toMatch(/pass 1\b[\s\S]*fail 0\b/);
});

const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;

test.runIf(hasPytest)('the example for pytest passes (needs pytest)', async () => {
  const cwd = await projectDir({ 'test_cards.py': await exampleOf('With another language', 'python') });
  const command = 'emulator exec --no-rate-limit -- python3 -B -m pytest -p no:cacheprovider -q';
  const { code, stdout } = await tokenctl(command, { cwd });
  expect(stdout).toContain('1 passed');
  expect(code).toBe(0);
});
