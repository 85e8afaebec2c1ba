import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadDefinitions } from '../../../src/cli/definitions/index.js';
import {
  cleanEnvironment,
  endProcessGroup,
  projectDir,
  runProgram,
  scratchDir,
  tokenctl,
} from '../../support/executable.js';
import { startLocalRegistry } from '../../support/local-registry.js';

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const env = {
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  // A clone of the repository would build itself.
  npm_config_ignore_scripts: 'true',
  npm_config_registry: '',
};

const { commands: COMMANDS } = await loadDefinitions();
const directory = scratchDir({ 'typescript/package.json': '{ "name": "typescript", "version": "5.9.0" }' });

beforeAll(async () => {
  const typescript = join(directory, 'typescript');
  const platforms = (await readdir(join(modules, '@esbuild'))).map((name) => `@esbuild/${name}`);
  const names = ['@types/node', 'undici-types', 'esbuild', ...platforms];
  const packages = names.map((name) => join(modules, name));
  const registry = await startLocalRegistry([typescript, ...packages], directory);
  env.npm_config_registry = registry.url;
  return () => registry.close();
});

/** Returns the commands that `init` prints, without its remarks. */
function stepsOf(stderr: string): string[] {
  const [, printed = ''] = /Next:\n((?: {2}.*\n)+)/.exec(stderr) ?? [];
  return printed
    .trim()
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}\(.*\)$/, ''));
}

/** Starts a command that goes on, and waits until it has printed a line. */
async function startInBackground(command: string, cwd: string): Promise<void> {
  const child: ChildProcess = spawn('sh', ['-c', command], {
    cwd,
    env: cleanEnvironment(cwd, env),
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(async () => {
    const ended = once(child, 'close');
    endProcessGroup(child.pid as number);
    await ended;
  });
  await once(createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }), 'line');
}

/** Takes every step, as a user does, except that the emulator chooses its port and nobody is there to confirm. */
async function takeSteps(steps: readonly string[], project: string): Promise<void> {
  for (const step of steps) {
    if (step.includes('emulator start')) await startInBackground(`${step} --port 0 --json`, project);
    else
      expect([
        step,
        await runProgram('sh', ['-c', step.replace(/apply$/, '$& --yes')], { cwd: project, env }),
      ]).toEqual([step, expect.objectContaining({ code: 0 })]);
  }
}

test('every step that init prints works, with a tokenctl that no registry has', async () => {
  const cwd = await projectDir({});
  const { stderr } = await tokenctl("init 'new project'", { cwd });
  const [enter, ...steps] = stepsOf(stderr);
  expect(enter).toBe("cd 'new project'");
  expect(steps).toEqual([
    'npm install',
    'npx tokenctl reactor test',
    'npx tokenctl emulator start',
    'npx tokenctl apply',
  ]);
  await takeSteps(steps, join(cwd, 'new project'));
});

test('AGENTS.md names commands that exist, in about 30 lines, and is left as it is', async () => {
  const cwd = await projectDir({});
  await tokenctl('init', { cwd });
  const text = await readFile(join(cwd, 'AGENTS.md'), 'utf8');
  expect(text.split('\n').length).toBeLessThanOrEqual(36);
  const commands = [...text.matchAll(/`npx (?:--no )?tokenctl ([^`]+)`/g)].map(([, line = '']) => line);
  expect(commands.length).toBeGreaterThan(10);
  for (const line of commands) {
    const found = COMMANDS.some(({ name }) => `${line} `.startsWith(`${name} `));
    expect([line, found]).toEqual([line, true]);
  }
  await writeFile(join(cwd, 'AGENTS.md'), 'ours');
  await tokenctl('init --force', { cwd });
  expect(await readFile(join(cwd, 'AGENTS.md'), 'utf8')).toBe('ours');
});

test('nothing that init writes gets a package named tokenctl from a registry', async () => {
  const cwd = await projectDir({});
  await tokenctl('init', { cwd });
  const read = (name: string) => readFile(join(cwd, name), 'utf8');
  expect(JSON.parse(await read('package.json')).devDependencies.tokenctl).toMatch(/^file:/);
  expect(await read('tokenctl.yaml')).not.toMatch(/https?:/);
  expect(await read('.github/workflows/tenant.yml')).toContain("NPM_CONFIG_YES: 'false'");
});
