import { lstat, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseDocument, type YAMLSeq } from 'yaml';
import { projectDir, tokenctl } from '../../support/executable.js';
import { compile, NODE_TYPES } from '../../support/typescript.js';

test('tokenctl init: its reactor passes its tests, compiles under its tsconfig, and has the types of its test cases', async () => {
  const cwd = await projectDir({});
  expect(await tokenctl('init', { cwd })).toMatchObject({
    code: 0,
    json: { files: expect.arrayContaining(['tokenctl.yaml']) },
  });
  expect((await tokenctl('reactor test', { cwd })).json.summary).toMatchObject({ passed: 2, failed: 0 });
  expect(await compile(cwd, ['--project', cwd, ...NODE_TYPES])).toBe('');
  expect(await tokenctl('reactor types --check', { cwd })).toMatchObject({
    code: 0,
    json: { changed: false, reactors: ['charge'] },
  });
});

test('tokenctl init completes a project that has a manifest, and overwrites nothing without --force', async () => {
  const cwd = await projectDir({
    'tokenctl.yaml': 'reactors: [{ code: refund.js }]\n',
    'refund.js': 'module.exports = async () => ({});\n',
    'tsconfig.json': '{}',
  });
  const ran = await tokenctl('init', { cwd });
  expect(ran).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Kept as it is: tsconfig.json'),
    json: { files: expect.arrayContaining(['types/reactors.d.ts', '.github/workflows/tenant.yml']) },
  });
  expect(ran.json.files.filter((file: string) => /charge|yaml|tsconfig/.test(file))).toEqual([]);
  expect(await readFile(join(cwd, 'tokenctl.yaml'), 'utf8')).toBe('reactors: [{ code: refund.js }]\n');
  expect((await tokenctl('reactor types --check', { cwd })).code).toBe(0);
  expect(await tokenctl('reactor test', { cwd })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('No tests were found.'),
    json: { summary: { passed: 0, failed: 0 } },
  });
  expect((await tokenctl('init --force', { cwd })).code).toBe(0);
  expect((await tokenctl('init', { cwd })).code).toBe(0);
});

test('tokenctl init writes through no link, neither a dangling one nor one to a file or folder', async () => {
  const cwd = await projectDir({ 'outside/readme': '' });
  const victim = join(cwd, 'outside', 'victim');
  await mkdir(join(cwd, 'project'));
  await symlink(victim, join(cwd, 'project', 'tsconfig.json'));
  expect(await tokenctl('init project', { cwd })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Kept as it is: tsconfig.json'),
  });
  expect((await lstat(join(cwd, 'project', 'tsconfig.json'))).isSymbolicLink()).toBe(true);
  expect((await tokenctl('init project --force', { cwd })).code).toBe(0);
  expect((await lstat(join(cwd, 'project', 'tsconfig.json'))).isFile()).toBe(true);
  await rm(join(cwd, 'project', 'tsconfig.json'));
  await symlink(join(cwd, 'outside', 'readme'), join(cwd, 'project', 'tsconfig.json'));
  expect((await tokenctl('init project --force', { cwd })).code).toBe(0);
  expect(await readFile(join(cwd, 'outside', 'readme'), 'utf8')).toBe('');

  await mkdir(join(cwd, 'linked'));
  await symlink(join(cwd, 'outside'), join(cwd, 'linked', 'reactors'));
  expect((await tokenctl('init linked --force', { cwd })).code).toBe(2);
  expect(await readdir(join(cwd, 'outside'))).toEqual(['readme']);
});

test.each([
  ['github', '.github/workflows/tenant.yml', ['jobs', 'plan', 'strategy', 'matrix', 'environment']],
  ['gitlab', '.gitlab-ci.yml', ['.environments', 'parallel', 'matrix', 0, 'ENVIRONMENT']],
])('tokenctl init --ci %s: every name of an environment is a string in %s', async (ci, path, list) => {
  const names = ['staging', '2026', 'null', 'on', 'eu-1', 'a, b'];
  const environments = Object.fromEntries(names.map((name) => [name, {}]));
  const cwd = await projectDir({ 'tokenctl.yaml': JSON.stringify({ environments }) });
  expect((await tokenctl(`init --ci ${ci}`, { cwd })).code).toBe(0);
  const pipeline = parseDocument(await readFile(join(cwd, path), 'utf8'), { version: '1.1' });
  expect((pipeline.getIn(list) as YAMLSeq).toJSON()).toEqual(Object.keys(environments));
});

test('tokenctl init leaves a package.json as it is, even with --force', async () => {
  const cwd = await projectDir({ 'package.json': '{ "name": "shop" }' });
  expect(await tokenctl('init --force', { cwd })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('npm install --save-dev tokenctl@file:'),
  });
  expect(await readFile(join(cwd, 'package.json'), 'utf8')).toBe('{ "name": "shop" }');
});
