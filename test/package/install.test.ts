import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { cleanEnvironment, PACKED, runProgram, words } from '../support/executable.js';
import {
  type GlobalInstall,
  installGlobally,
  type PackedPackage,
  packPackage,
  ROOT,
} from '../support/packed-package.js';
import { compile, STRICT } from '../support/typescript.js';
import { sampled, width } from '../support/width.js';

const run = promisify(execFile);
const MEGABYTE = 1_000_000;

describe.runIf(PACKED || width(false, true))('the packed package', () => {
  let packed: PackedPackage;
  let install: GlobalInstall;
  let executable: string;

  beforeAll(async () => {
    packed = await packPackage();
    install = await installGlobally(packed);
    executable = join(install.prefix, 'bin/tokenctl');
  });

  afterAll(() => packed?.remove());

  describe('a global install of the tarball, without install scripts', () => {
    test('brings at most 12 packages and 25 MB (N1)', async () => {
      const { packages, bytes } = install;
      expect(packages).toBeLessThanOrEqual(12);
      expect(bytes).toBeLessThanOrEqual(25 * MEGABYTE);
    });

    test('has a manifest without scripts and without what only the repository needs', async () => {
      const manifest = JSON.parse(
        await readFile(join(install.prefix, 'lib/node_modules/tokenctl/package.json'), 'utf8'),
      ) as Record<string, unknown>;
      expect(manifest).not.toHaveProperty('scripts');
      expect(manifest).not.toHaveProperty('devDependencies');
      expect(manifest).not.toHaveProperty('overrides');
      expect(manifest.dependencies).toEqual({ esbuild: packageJson.dependencies.esbuild });
    });

    test('runs the command, filters with jq and prints YAML', async () => {
      const cwd = packed.directory;
      const version = await runProgram(executable, ['--version'], { cwd });
      expect(version).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
      const jq = await runProgram(executable, ['profile', 'list', '--jq', 'length', '-o', 'json'], { cwd });
      expect(jq).toMatchObject({ code: 0, stderr: '' });
      const yaml = await runProgram(executable, ['profile', 'list', '-o', 'yaml'], { cwd });
      expect(yaml).toMatchObject({ code: 0, stderr: '' });
    });

    test('starts an emulator, which serves the dashboard and runs a reactor', async () => {
      const cwd = join(packed.directory, 'work');
      await mkdir(cwd);
      const args = ['emulator', 'start', '--port', '0', '--memory', '--json'];
      const child = spawn(executable, args, {
        cwd,
        env: cleanEnvironment(cwd),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
        const { base_url, keys } = JSON.parse(line) as {
          base_url: string;
          keys: { management: string; private: string };
        };
        const page = await fetch(`${base_url}/_emulator/ui`);
        expect(page.status).toBe(200);
        const links = [...(await page.text()).matchAll(/(?:src|href)="([^"#]+\.(?:js|css))"/g)];
        expect(links.length).toBeGreaterThan(0);
        for (const [, link = ''] of links) expect((await fetch(new URL(link, page.url))).status).toBe(200);

        await writeFile(
          join(cwd, 'greet.ts'),
          'export = async ({ args }) => ({ raw: { hello: args.name } });\n',
        );
        const env = {
          TOKENCTL_BASE_URL: base_url,
          TOKENCTL_MANAGEMENT_KEY: keys.management,
          TOKENCTL_PRIVATE_KEY: keys.private,
        };
        expect(await runProgram(executable, ['reactor', 'deploy', 'greet.ts'], { cwd, env })).toMatchObject({
          code: 0,
        });
        const react = ['reactor', 'react', 'greet', '--arg', 'name=Ada', '--jq', '.raw.hello'];
        expect(await runProgram(executable, react, { cwd, env })).toMatchObject({ code: 0, stdout: 'Ada\n' });
      } finally {
        child.kill('SIGTERM');
      }
      expect(await once(child, 'exit')).toEqual([0, null]);
    });
  });

  test('init depends on the global install, of which nothing says where it came from', async () => {
    const cwd = join(packed.directory, 'init-global');
    await mkdir(cwd);
    expect(await runProgram(executable, ['init'], { cwd })).toMatchObject({ code: 0 });
    const { devDependencies } = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8'));
    expect(devDependencies.tokenctl).toBe(
      `file:${await realpath(join(install.prefix, 'lib/node_modules/tokenctl'))}`,
    );
    await packed.npm('npm', ['install', devDependencies.tokenctl], await emptyProject('uses-global'));
  });

  test('init of an install in a project, and of npx, depends on the tarball', async () => {
    const project = await emptyProject('has-tarball');
    await packed.npm('npm', ['install', '--ignore-scripts', packed.tarball], project);
    const args = ['--yes', '--ignore-scripts', '--package', packed.tarball, 'tokenctl'];
    await packed.npm('npx', ['--no', 'tokenctl', 'init', 'local'], project);
    await packed.npm('npx', [...args, 'init', 'npx'], packed.directory);
    const tarball = `file:${await realpath(packed.tarball)}`;
    for (const path of [join(project, 'local'), join(packed.directory, 'npx')])
      expect(JSON.parse(await readFile(join(path, 'package.json'), 'utf8')).devDependencies).toMatchObject({
        tokenctl: tarball,
      });
  });

  async function emptyProject(name: string): Promise<string> {
    const path = join(packed.directory, name);
    await mkdir(path);
    await writeFile(join(path, 'package.json'), '{ "private": true }');
    return path;
  }

  describe('a project that depends on the tarball', () => {
    const SOURCE = `
import { createClient, ServiceError, type Client } from 'tokenctl/client';
import { LIMITS, operations, schemas } from 'tokenctl/contract';
import { startEmulator, type StartedEmulator } from 'tokenctl/emulator';

const emulator: StartedEmulator = await startEmulator({ port: 0, memory: true });
const client: Client = createClient({ baseUrl: emulator.url, apiKey: emulator.keys });
const token = await client.call('tokens.create', { body: { type: 'token', data: 'secret' } });
const type: string = token.type;
// @ts-expect-error The types are there: a token has no such property.
token.nothing;
console.log(type, operations['tokens.create'].path, typeof LIMITS, typeof schemas, ServiceError.name);
await client.close();
await emulator.close();
`;
    let project: string;

    beforeAll(async () => {
      project = join(packed.directory, 'project');
      await mkdir(join(project, 'node_modules'), { recursive: true });
      await writeFile(join(project, 'package.json'), '{ "type": "module", "private": true }');
      await writeFile(join(project, 'index.ts'), SOURCE);
      await packed.npm('npm', ['install', '--ignore-scripts', packed.tarball], project);
      await mkdir(join(project, 'node_modules/@types'), { recursive: true });
      for (const name of ['@types/node', 'undici-types'])
        await symlink(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
    });

    test('compiles all three entry points, declarations of dependencies included, and runs them', async () => {
      const emits = STRICT.filter((option) => option !== '--noEmit');
      expect(await compile(project, [...emits, '--skipLibCheck', 'false', 'index.ts'])).toBe('');
      const { stdout } = await run(process.execPath, ['index.js'], { cwd: project });
      expect(stdout).toBe('token /tokens object object ServiceError\n');
    });

    /** The entry points that a program in CommonJS may import too. */
    const EVERY_ENTRY = `
import { createClient, type Client } from 'tokenctl/client';
import { operations, schemas } from 'tokenctl/contract';
import { startEmulator, type StartedEmulator } from 'tokenctl/emulator';
import { createProcessor } from 'tokenctl/processor';
export const all = { createClient, operations, schemas, startEmulator, createProcessor };
export const getToken = async (client: Client, { tenants }: StartedEmulator): Promise<string> => {
  const { id, type } = await client.call('tokens.create', { body: { type: 'token', data: 'secret' } });
  return (await tenants.create()).tenant_id + id + type;
};
declare global {
  interface Reactors { pay: { request: { amount: number }; result: { raw: { status: string } } } }
}
export async function useTypes(client: Client, { tenants }: StartedEmulator): Promise<string[]> {
  const { raw } = await client.react('pay', { amount: 1 });
  // @ts-expect-error No reactor of this name is declared.
  void client.react('pya', { amount: 1 });
  // @ts-expect-error The amount is a number.
  void client.react('pay', { amount: '1' });
  const { reactors } = await (await tenants.create()).seed({ reactors: [{ name: 'charge', code: '', configuration: {} }] });
  // @ts-expect-error No reactor of this name was created.
  reactors.chrage;
  const token = await client.call('tokens.get', { path: { id: reactors.charge.id } });
  // @ts-expect-error Other types have other data.
  token.data?.number;
  return [raw.status, token.type === 'card' ? token.data?.number ?? '' : token.id];
}
`;
    const SETTINGS = [
      ['commonjs', '--module preserve'],
      ['commonjs', '--module node16'],
      ['commonjs', '--module nodenext'],
      ['module', '--module node16'],
      ['module', '--module nodenext'],
      ['module', '--module preserve'],
    ] as const;

    /** Compiles a project with every declaration that it reaches, without the types of browsers. */
    async function compileProject(type: string, settings: string, typescript?: string): Promise<string> {
      const directory = await mkdtemp(join(project, `${type}-`));
      await writeFile(join(directory, 'package.json'), JSON.stringify({ type }));
      await writeFile(join(directory, 'index.ts'), EVERY_ENTRY);
      const options = `--noEmit --strict --types node --target es2022 --lib es2022 --skipLibCheck false ${settings}`;
      return await compile(project, [...words(options), join(directory, 'index.ts')], typescript);
    }

    test.each(sampled(SETTINGS))('a project of type %s compiles with %s', async (type, settings) => {
      expect(await compileProject(type, settings)).toBe('');
    });

    test.runIf(width(false, true)).each([
      ['5.4', '--module commonjs --moduleResolution node10'],
      ['5.4', '--module node16'],
      ['5.9', '--module nodenext'],
      ['6.0', '--module preserve'],
    ])('a project compiles with TypeScript %s and %s', async (version, settings) => {
      const directory = await mkdtemp(join(packed.directory, 'typescript-'));
      await run('npm', ['install', '--no-save', `typescript@${version}`], { cwd: directory });
      const typescript = join(directory, 'node_modules/typescript');
      expect(await compileProject('commonjs', settings, typescript)).toBe('');
    });

    test.each([
      ['client', 'createClient', 'function'],
      ['contract', 'operations', 'object'],
      ['emulator', 'startEmulator', 'function'],
    ])('CommonJS can require tokenctl/%s', async (name, member, type) => {
      const code = `console.log(typeof require('tokenctl/${name}').${member})`;
      const { stdout } = await run(process.execPath, ['--input-type=commonjs', '-e', code], { cwd: project });
      expect(stdout).toBe(`${type}\n`);
    });
  });
});
