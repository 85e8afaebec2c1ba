import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runProgram, tokenctl } from '../../support/executable.js';
import { projectDir } from '../../support/project-dir.js';
import { createOrigin, freshClone, must } from '../../support/project-repository.js';
import { useSharedEmulator } from '../../support/shared-emulator.js';
import { width } from '../../support/width.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFile(join(root, 'docs/ci.md'), 'utf8');

/** The steps of a job, and the variables that it sets. */
interface Job {
  env: Record<string, string>;
  steps: string[];
}

interface Workflow {
  jobs: Record<string, { env?: Record<string, string>; steps: { run?: string; if?: string }[] }>;
}

interface GitLabPipeline {
  default: { before_script: string[] };
  [job: string]: { script?: string[]; before_script?: string[]; after_script?: string[] };
}

type Environment = Record<string, string>;

const emulator = useSharedEmulator();

/** Runs the steps of a job, each in a shell of its own, until one fails. Returns the exit code of the last one. */
async function runJob(
  cwd: string,
  { env, steps }: Job,
  shell: string[],
): Promise<{ code: number | null; output: string }> {
  let output = '';
  for (const step of steps) {
    const ran = await runProgram('bash', [...shell, step], {
      cwd,
      env: {
        PATH: process.env.PATH ?? '',
        CI: 'true',
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        ...env,
      },
    });
    output += `$ ${step}\n${ran.stdout}${ran.stderr}`;
    if (ran.code !== 0) return { code: ran.code, output };
  }
  return { code: 0, output };
}

const GITHUB_SHELL = ['-eo', 'pipefail', '-c'];

/** The jobs of the GitHub workflow. `${{ … }}` is replaced from `values`; what is missing is empty, as on GitHub. */
async function githubJob(cwd: string, name: string, values: Environment): Promise<Job> {
  const { jobs } = parse(await readFile(join(cwd, '.github/workflows/tenant.yml'), 'utf8')) as Workflow;
  const resolve = (text: string) =>
    text.replaceAll(/\$\{\{\s*(.*?)\s*\}\}/g, (_, key: string) => values[key] ?? '');
  const { env = {}, steps } = jobs[name] ?? { steps: [] };
  const runnerEnv = {
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: cwd,
    GITHUB_STEP_SUMMARY: join(cwd, '..', `summary-${name}.md`),
  };
  const resolved = Object.fromEntries(Object.entries(env).map(([key, text]) => [key, resolve(text)]));
  return {
    env: {
      ...runnerEnv,
      ...resolved,
      PROCESSOR_KEY: values.PROCESSOR_KEY ?? '',
      PROCESSOR_SECRET: values.PROCESSOR_KEY ?? '',
    },
    steps: steps.flatMap(({ run }) => (run === undefined ? [] : [resolve(run)])),
  };
}

async function settingsOf(environment: string): Promise<Environment> {
  const { env } = await emulator.tenant();
  return {
    'matrix.environment': environment,
    'github.ref_name': 'main',
    'vars.TOKENCTL_BASE_URL': env.TOKENCTL_BASE_URL ?? '',
    'secrets.TOKENCTL_MANAGEMENT_KEY': env.TOKENCTL_MANAGEMENT_KEY ?? '',
    PROCESSOR_KEY: `key of ${environment}`,
  };
}

test('docs/ci.md shows the workflow that init writes', async () => {
  const cwd = await projectDir({});
  await tokenctl('init', { cwd });
  const workflow = await readFile(join(cwd, '.github/workflows/tenant.yml'), 'utf8');
  expect((await page).replaceAll('\r\n', '\n')).toContain(`\`\`\`yaml\n${workflow}\`\`\``);
});

describe.runIf(width(false, true))('the workflow of init, in fresh clones', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tokenctl-origin-'));
    await createOrigin(directory);
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test('tests without secrets, plans, applies to two environments at once, and records both', async () => {
    const first = (await must(directory, 'git', '-C', 'origin.git', 'rev-parse', 'main')).trim();
    const run = async (job: string, values: Environment, revision = first) => {
      const cwd = await freshClone(directory, revision);
      return runJob(cwd, await githubJob(cwd, job, values), GITHUB_SHELL);
    };
    const [tested, staging, production] = [
      await run('test', {}),
      await settingsOf('staging'),
      await settingsOf('production'),
    ];
    expect(tested).toEqual({ code: 0, output: expect.stringMatching(/integration\n[\s\S]*[0-9a-f-]{36}/) });

    expect(await run('plan', staging)).toMatchObject({ code: 0 });
    expect(await readFile(join(directory, 'summary-plan.md'), 'utf8')).toMatch(
      /^### Plan for \S+, tenant Tenant \d+ \S+: 2 to create$/m,
    );

    // Both start from the same commit, before the other has recorded anything.
    const applied = await Promise.all([run('apply', staging), run('apply', production)]);
    expect(applied).toEqual([expect.objectContaining({ code: 0 }), expect.objectContaining({ code: 0 })]);
    const log = await must(directory, 'git', '-C', 'origin.git', 'log', '--format=%s', 'main');
    expect(log.trim().split('\n').sort()).toEqual([
      'Create the project',
      'Record what was applied to production [skip ci]',
      'Record what was applied to staging [skip ci]',
    ]);
    expect(
      (await must(directory, 'git', '-C', 'origin.git', 'ls-tree', '--name-only', 'main'))
        .split('\n')
        .filter((name) => name.startsWith('tokenctl')),
    ).toEqual([
      'tokenctl.production.lock.json',
      'tokenctl.production.versions',
      'tokenctl.staging.lock.json',
      'tokenctl.staging.versions',
      'tokenctl.yaml',
    ]);

    // A run for the same commit changes nothing and adds no commit, although its clone lacks the records.
    expect(await run('apply', staging)).toMatchObject({ code: 0 });
    expect(await must(directory, 'git', '-C', 'origin.git', 'log', '--format=%s', 'main')).toBe(log);
    const lock = JSON.parse(
      await must(directory, 'git', '-C', 'origin.git', 'show', 'main:tokenctl.staging.lock.json'),
    );
    expect(lock.services[0].objects).toMatchObject([
      { kind: 'application', name: 'payments', created: true },
      { kind: 'reactor', name: 'charge', created: true, versions: [{ commit: first }] },
    ]);
  });

  test('fails visibly when what was applied cannot be recorded', async () => {
    // A repository of its own: the records of the other one are of another tenant.
    const own = await projectDir({});
    await createOrigin(own);
    await writeFile(join(own, 'origin.git/hooks/pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const cwd = await freshClone(own, 'main');
    const ran = await runJob(cwd, await githubJob(cwd, 'apply', await settingsOf('staging')), GITHUB_SHELL);
    expect(ran).toEqual({
      code: 1,
      output: expect.stringContaining('What was applied to staging could not be recorded.'),
    });
  });
});

async function gitLabPipeline(): Promise<GitLabPipeline> {
  const [, text = ''] = /```yaml\n(default:\n[\s\S]*?)```/.exec((await page).replaceAll('\r\n', '\n')) ?? [];
  return parse(text) as GitLabPipeline;
}

test('the GitLab pipeline of docs/ci.md runs the same commands as the workflow', async () => {
  const pipeline = await gitLabPipeline();
  const cwd = await projectDir({});
  await tokenctl('init', { cwd });
  for (const job of ['test', 'plan'])
    expect(pipeline[job]?.script).toEqual((await githubJob(cwd, job, {})).steps.slice(1));
});

/** An origin, and what the apply job of GitLab has in its environment. */
async function gitLabOrigin() {
  const directory = await projectDir({});
  await createOrigin(directory);
  const values = await settingsOf('staging');
  const env = {
    ENVIRONMENT: 'staging',
    CI_COMMIT_BRANCH: 'main',
    TOKENCTL_PUSH_URL: join(directory, 'origin.git'),
    TOKENCTL_BASE_URL: values['vars.TOKENCTL_BASE_URL'] ?? '',
    TOKENCTL_MANAGEMENT_KEY: values['secrets.TOKENCTL_MANAGEMENT_KEY'] ?? '',
    PROCESSOR_KEY: 'key',
    PROCESSOR_SECRET: 'secret',
  };
  const log = () => must(directory, 'git', '-C', 'origin.git', 'log', '--format=%s', 'main');
  return { directory, env, log };
}

const RECORDED = 'Record what was applied to staging [skip ci]';

test.runIf(width(false, true))('what the GitLab pipeline of docs/ci.md records is pushed', async () => {
  const pipeline = await gitLabPipeline();
  const { directory, env, log } = await gitLabOrigin();
  const run = async (job: string, env: Environment) => {
    const cwd = await freshClone(directory, 'main');
    const script = [...pipeline.default.before_script, ...(pipeline[job]?.script ?? [])].join('\n');
    return runJob(cwd, { env, steps: [script] }, GITHUB_SHELL);
  };
  expect(await run('.apply', env)).toMatchObject({ code: 0 });
  expect(await log()).toContain(RECORDED);
  // A failure is recorded and remains a failure.
  const failed = await run('.apply', { ...env, TOKENCTL_MANAGEMENT_KEY: 'key_wrong' });
  expect(failed.code).not.toBe(0);
});

test.runIf(width(false, true))(
  'a cancelled job of GitLab records what it applied, and nothing else',
  async () => {
    const { default: setup, '.apply': job = {} } = await gitLabPipeline();
    const { directory, env, log } = await gitLabOrigin();
    const { script = [], after_script: after = [] } = job;
    const first = (await must(directory, 'git', '-C', 'origin.git', 'rev-parse', 'main')).trim();
    /** Runs the script of a job that is cancelled, and what GitLab runs then, in a shell of its own. */
    const cancel = async (begun: string[]) => {
      const cwd = await freshClone(directory, first);
      const steps = [[...setup.before_script, ...begun].join('\n'), after.join('\n')];
      expect(await runJob(cwd, { env, steps }, GITHUB_SHELL)).toMatchObject({ code: 0 });
    };
    await cancel(script.slice(0, -1));
    const recorded = await log();
    expect(recorded).toContain(RECORDED);
    // A job that was cancelled before its plan has the records that its commit had.
    await cancel(['echo {} > tokenctl.staging.lock.json']);
    expect(await log()).toBe(recorded);
  },
);
