import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDefinitions } from '../../../src/cli/definitions/index.js';
import { EXECUTABLE, PACKAGE, tokenctl } from '../../support/executable.js';
import { openTerminal } from '../../support/terminal.js';

const { commands } = await loadDefinitions();
const PAGES = readdirSync(join(PACKAGE, 'docs')).filter((name) => name.endsWith('.md'));

const docs = (...args: string[]) => tokenctl(['docs', ...args], { cwd: tmpdir() });

test('tokenctl docs without a topic lists every page with its title', async () => {
  const { stdout, code } = await docs();
  expect(code).toBe(0);
  const { data } = JSON.parse(stdout) as { data: { topic: string; title: string }[] };
  expect(data.map(({ topic }) => topic)).toEqual(
    ['cli', ...PAGES.map((name) => name.slice(0, -'.md'.length))].sort(),
  );
  expect(data).toContainEqual({ topic: 'cli', title: 'The command line' });
});

test('tokenctl docs with a topic prints the page', async () => {
  const { stdout, code } = await docs('manifest');
  expect(code).toBe(0);
  expect(stdout).toBe(readFileSync(join(PACKAGE, 'docs/manifest.md'), 'utf8'));
});

test('tokenctl docs: cli describes every command with its examples', async () => {
  const { stdout, code } = await docs('cli');
  expect(code).toBe(0);
  const shown = commands.filter(({ hidden }) => !hidden);
  const missing = shown.filter(
    ({ name, examples }) =>
      !stdout.includes(`### tokenctl ${name}\n`) ||
      Object.values(examples).some((command) => !stdout.includes(command)),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('tokenctl docs names the nearest page for a misspelt topic', async () => {
  const { stderr, code } = await docs('manifset');
  expect(code).toBe(2);
  expect(stderr).toContain('There is no page');
  expect(stderr).toContain('tokenctl docs manifest');
});

test.runIf(process.platform !== 'win32')(
  'tokenctl docs opens the page in the pager of a terminal',
  async () => {
    const command = `${process.execPath} ${EXECUTABLE} docs manifest`;
    const terminal = openTerminal(command, tmpdir(), { PAGER: 'head -n 1 | tr a-z A-Z' });
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toBe('# THE MANIFEST: A TENANT AS CODE\n');
  },
);

test.runIf(process.platform !== 'win32')('tokenctl docs prints the page where no pager is', async () => {
  const command = `${process.execPath} ${EXECUTABLE} docs manifest`;
  const terminal = openTerminal(command, tmpdir(), { PAGER: 'no-such-pager' });
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen()).toContain('# The manifest: a tenant as code\n');
});

test('tokenctl help <command> prints the help of the command, also behind global options', async () => {
  const [help, behind, flag] = await Promise.all(
    [
      ['help', 'token', 'create'],
      ['-o', 'table', 'help', 'token', 'create'],
      ['token', 'create', '--help'],
    ].map((words) => tokenctl(words, { cwd: tmpdir() })),
  );
  expect([help, behind]).toEqual([flag, flag]);
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: tokenctl token create') });
});

test('the help of the program fits one screen, and that of a command names where the global options are', async () => {
  const [program, command, globals] = await Promise.all(
    [['--help'], ['token', 'get', '--help'], ['help', 'globals']].map((words) =>
      tokenctl(words, { cwd: tmpdir() }),
    ),
  );
  expect(program?.stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  for (const text of [program, command]) expect(text?.stdout).toContain('tokenctl help globals');
  expect(command?.stdout).not.toContain('--no-color');
  expect(globals).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Global options:[\s\S]+--no-color/),
  });
});
