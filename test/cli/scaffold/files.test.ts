import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { EXECUTABLE, runProgram, tokenctl } from '../../support/executable.js';
import { projectDir } from '../../support/project-dir.js';
import { type SharedEmulator, startSharedEmulator } from '../../support/shared-emulator.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Step {
  name?: string;
  run?: string;
  uses?: string;
}

interface Workflow {
  jobs: Record<string, { env?: Record<string, string>; steps: Step[] }>;
}

let emulator: SharedEmulator;
beforeAll(async () => {
  emulator = await startSharedEmulator();
});
afterAll(() => emulator.close());

async function started(): Promise<string> {
  const cwd = await projectDir({});
  const ran = await tokenctl(['init'], { cwd });
  expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([
    0,
    { files: expect.arrayContaining(['tokenctl.yaml']) },
  ]);
  return cwd;
}

describe('tokenctl init', () => {
  test('its reactor passes its tests', async () => {
    const cwd = await started();
    const ran = await tokenctl(['reactor', 'test'], { cwd });
    expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([0, { summary: { passed: 2, failed: 0 } }]);
  });

  test('its TypeScript compiles under its own tsconfig', async () => {
    const cwd = await started();
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    await promisify(execFile)(process.execPath, [compiler, '--project', cwd], { cwd: root });
  });

  test('its types are those of its test cases', async () => {
    const cwd = await started();
    const ran = await tokenctl(['reactor', 'types', '--check'], { cwd });
    expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([0, { changed: false, reactors: ['charge'] }]);
  });

  test('overwrites nothing without --force', async () => {
    const cwd = await projectDir({ 'tokenctl.yaml': 'reactors: []\n' });
    const ran = await tokenctl(['init'], { cwd });
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringContaining('These files already exist: tokenctl.yaml.'),
    ]);
    expect(await readFile(join(cwd, 'tokenctl.yaml'), 'utf8')).toBe('reactors: []\n');
    expect((await tokenctl(['init', '--force'], { cwd })).code).toBe(0);
    expect((await tokenctl(['init'], { cwd })).code).toBe(0);
  });

  test('writes through no link, neither a dangling one nor one to a file or folder', async () => {
    const cwd = await projectDir({ 'outside/readme': '' });
    const victim = join(cwd, 'outside', 'victim');
    await mkdir(join(cwd, 'project'));
    await symlink(victim, join(cwd, 'project', 'tsconfig.json'));
    const refused = await tokenctl(['init', 'project'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('tsconfig.json')]);
    expect((await tokenctl(['init', 'project', '--force'], { cwd })).code).toBe(0);
    expect((await lstat(join(cwd, 'project', 'tsconfig.json'))).isFile()).toBe(true);
    await rm(join(cwd, 'project', 'tsconfig.json'));
    await symlink(join(cwd, 'outside', 'readme'), join(cwd, 'project', 'tsconfig.json'));
    expect((await tokenctl(['init', 'project', '--force'], { cwd })).code).toBe(0);
    expect(await readFile(join(cwd, 'outside', 'readme'), 'utf8')).toBe('');

    await mkdir(join(cwd, 'linked'));
    await symlink(join(cwd, 'outside'), join(cwd, 'linked', 'reactors'));
    expect((await tokenctl(['init', 'linked', '--force'], { cwd })).code).toBe(2);
    expect(await readdir(join(cwd, 'outside'))).toEqual(['readme']);
  });

  test('writes into a new directory', async () => {
    const cwd = await projectDir({});
    const ran = await tokenctl(['init', 'payments'], { cwd });
    expect(ran.stderr).toContain('cd payments');
    expect(await readFile(join(cwd, 'payments/.gitignore'), 'utf8')).toContain('.tokenctl/');
  });
});

describe('docs/ci.md', () => {
  const page = readFile(join(root, 'docs/ci.md'), 'utf8');

  test('shows the workflow that init writes', async () => {
    const cwd = await started();
    const workflow = await readFile(join(cwd, '.github/workflows/reactors.yml'), 'utf8');
    expect((await page).replaceAll('\r\n', '\n')).toContain(`\`\`\`yaml\n${workflow}\`\`\``);
  });

  test('every step of the generated workflow works', async () => {
    const [, text = ''] = /```yaml\n(name: reactors\n[\s\S]*?)```/.exec(await page) ?? [];
    const { jobs } = parse(text) as Workflow;
    const cwd = await started();
    const { env: target } = await emulator.tenant();
    const bin = join(cwd, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'tokenctl'), `#!/bin/sh\nexec "${process.execPath}" "${EXECUTABLE}" "$@"\n`);
    await chmod(join(bin, 'tokenctl'), 0o755);
    const settings: Record<string, string> = {
      '${{ vars.TOKENCTL_BASE_URL }}': target.TOKENCTL_BASE_URL ?? '',
      '${{ secrets.TOKENCTL_MANAGEMENT_KEY }}': target.TOKENCTL_MANAGEMENT_KEY ?? '',
    };
    const steps = Object.values(jobs).flatMap(({ env = {}, steps: of }) =>
      of.flatMap(({ run }) => (run && !run.startsWith('npm install') ? [{ run, env }] : [])),
    );
    expect(steps.length).toBeGreaterThanOrEqual(5);
    for (const { run, env } of steps) {
      const resolved = Object.entries(env).map(([name, value]) => [name, settings[value] ?? value]);
      const ran = await runProgram('bash', ['-eo', 'pipefail', '-c', run], {
        cwd,
        env: {
          ...Object.fromEntries(resolved),
          PATH: `${bin}:${process.env.PATH}`,
          CI: 'true',
          GITHUB_ACTIONS: 'true',
          GITHUB_WORKSPACE: cwd,
          GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
        },
      });
      expect([run, ran.code, ran.code === 0 ? '' : ran.stderr]).toEqual([run, 0, '']);
    }
    expect(await readFile(join(cwd, 'summary.md'), 'utf8')).toMatch(/^### Applied to \S+: 1 created$/m);
    const { stdout } = await tokenctl(['reactor', 'list', '--jq', '.data[].name'], { cwd, env: target });
    expect(stdout).toBe('charge\n');
  });
});
