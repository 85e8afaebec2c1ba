import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectDir, runProgram, scratchDir, tokenctl } from '../../support/executable.js';
import { commit, createOrigin, freshClone, must } from '../../support/project-repository.js';
import { useSharedEmulator } from '../../support/shared-emulator.js';
import { width } from '../../support/width.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFile(join(root, 'docs/ci.md'), 'utf8');

interface Step {
  id?: string;
  run?: string;
  uses?: string;
  if?: string;
  with?: { name: string; path: string };
  env?: Environment;
}

interface Workflow {
  env: Environment;
  jobs: Record<string, { env?: Environment; steps: Step[] }>;
}

interface GitLabPipeline {
  default: { before_script: string[] };
  [job: string]: { script?: string[]; before_script?: string[]; after_script?: string[] };
}

type Environment = Record<string, string>;

const emulator = useSharedEmulator();

/** What the runner has, and a GitHub CLI that keeps comments and finds artifacts in a directory. */
async function createRunner(directory: string): Promise<Environment> {
  const bin = join(directory, 'bin');
  await mkdir(bin, { recursive: true });
  const gh = `#!/bin/sh
case "$1 $2" in
  'run download') cp "${directory}/artifacts/$4"/* . ;;
  'pr comment') cp "$5" "${directory}/comment-$ENVIRONMENT.md" ;;
esac
`;
  await writeFile(join(bin, 'gh'), gh, { mode: 0o755 });
  return {
    PATH: `${bin}:${process.env.PATH}`,
    CI: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
}

const runScript = (cwd: string, script: string, env: Environment) =>
  runProgram('bash', ['-eo', 'pipefail', '-c', script], { cwd, env });

/** Replaces `${{ … }}`; what is missing is empty, as on GitHub. */
const resolveText = (text: string, values: Environment): string =>
  text.replaceAll(/\$\{\{\s*(.*?)\s*\}\}/g, (_, key: string) =>
    key.startsWith('hashFiles(') ? 'files' : (values[key.split(' || ').at(-1) ?? ''] ?? ''),
  );

const resolveAll = (env: Environment = {}, values: Environment = {}): Environment =>
  Object.fromEntries(Object.entries(env).map(([name, text]) => [name, resolveText(text, values)]));

async function readJob(cwd: string, name: string): Promise<{ env?: Environment; steps: Step[] }> {
  const workflow = parse(await readFile(join(cwd, '.github/workflows/tenant.yml'), 'utf8')) as Workflow;
  const { env, steps } = workflow.jobs[name] ?? { steps: [] };
  return { env: { ...workflow.env, ...env }, steps };
}

/**
 * Runs the steps of a job of the GitHub workflow, each in a shell of its own, until one fails, and then those that always run.
 * @param directory has the artifacts
 */
async function runGitHubJob(
  directory: string,
  cwd: string,
  job: string,
  values: Environment,
): Promise<{ code: number | null; output: string }> {
  const { env, steps } = await readJob(cwd, job);
  const summary = join(directory, `summary-${job}.md`);
  const github = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: cwd, GITHUB_STEP_SUMMARY: summary };
  const secrets = { PROCESSOR_KEY: values.PROCESSOR_KEY ?? '', PROCESSOR_SECRET: values.PROCESSOR_KEY ?? '' };
  const base = { ...(await createRunner(directory)), ...github, ...secrets };
  let [code, output]: [number | null, string] = [0, ''];
  for (const step of steps) {
    if (code !== 0 && !step.if?.includes('always()')) continue;
    if (step.uses?.startsWith('actions/upload-artifact') && step.with) {
      const artifact = join(directory, 'artifacts', resolveText(step.with.name, values));
      await cp(join(cwd, step.with.path), join(artifact, step.with.path));
    }
    if (step.run === undefined) continue;
    const ran = await runScript(cwd, step.run, {
      ...base,
      ...resolveAll(env, values),
      ...resolveAll(step.env, values),
    });
    output += `$ ${step.run}\n${ran.stdout}${ran.stderr}`;
    if (ran.code !== 0) code = ran.code;
  }
  return { code, output };
}

async function settingsOf(environment: string): Promise<Environment> {
  const { env } = await emulator.tenant();
  return {
    'matrix.environment': environment,
    'github.ref_name': 'main',
    'secrets.TOKENCTL_DIGEST_KEY': DIGEST_KEY,
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

test.each(['github', 'gitlab'])('no step of the pipeline for %s is shell logic', async (ci) => {
  const cwd = await projectDir({});
  const { json } = await tokenctl(`init --ci ${ci}`, { cwd });
  const file = json.files.find((name: string) => name.endsWith('.yml'));
  const text = await readFile(join(cwd, file), 'utf8');
  const commands = [...text.matchAll(/^ +(?:- )?run: (.*)$|^ {4}- (np.*)$/gm)].map(
    ([, run, script]) => run ?? script,
  );
  expect(commands.length).toBeGreaterThan(8);
  for (const command of commands) expect(command).not.toMatch(/&&|\|\||[|;]|\b(?:if|for|while|test)\b /);
});

const DIGEST_KEY = 'a'.repeat(64);

describe.runIf(width(false, true))('the workflow of a project with three environments, in clones', () => {
  const directory = scratchDir();
  let git: (...args: string[]) => Promise<string>;
  beforeAll(async () => {
    await createOrigin(directory);
    git = (...args) => must(directory, 'git', '-C', 'origin.git', ...args);
  });

  test('promotes one change from dev to production through the plans of its pull request', async () => {
    const first = (await git('rev-parse', 'main')).trim();
    const run = async (job: string, values: Environment) =>
      runGitHubJob(directory, await freshClone(directory, first), job, values);
    const tested = await run('test', { 'secrets.TOKENCTL_DIGEST_KEY': DIGEST_KEY });
    expect(tested).toEqual({ code: 0, output: expect.stringMatching(/integration\n[\s\S]*[0-9a-f-]{36}/) });

    const environments = ['dev', 'staging', 'production'];
    const all = await Promise.all(environments.map(settingsOf));
    for (const values of all) expect(await run('plan', values)).toMatchObject({ code: 0 });
    expect(await readFile(join(directory, 'comment-production.md'), 'utf8')).toMatch(
      /^### Plan for production, \S+, tenant Tenant \d+ \S+: 3 to create\n[\s\S]*<details><summary>reactor charge/,
    );
    // Each environment applies what was planned on the pull request, and records it.
    for (const values of all) {
      const applied = await run('apply', values);
      expect(applied, applied.output).toMatchObject({ code: 0 });
    }
    expect((await git('log', '--format=%s', 'main')).trim().split('\n')).toEqual([
      ...environments.toReversed().map((name) => `Record what was applied to ${name} [skip ci]`),
      'Create the project',
    ]);
    const hashes = await Promise.all(
      environments.map(async (name) => {
        const { services } = JSON.parse(await git('show', `main:tokenctl.${name}.lock.json`));
        return services[0].objects
          .map(({ kind, name }: Record<string, string>) => `${kind}/${name}`)
          .join(' ');
      }),
    );
    const everywhere = 'application/payments reactor/charge';
    expect(hashes).toEqual([
      `${everywhere} reactor/probe`,
      `${everywhere} reactor/probe`,
      `${everywhere} webhook/orders`,
    ]);

    // A second run of the same commit applies the same plan, of which nothing is left to do, and adds no commit.
    const log = await git('log', '--format=%s', 'main');
    for (const values of all) expect(await run('drift', values)).toMatchObject({ code: 0 });
    expect(await run('apply', all[0] ?? {})).toMatchObject({ code: 0 });
    expect(await git('log', '--format=%s', 'main')).toBe(log);
  });

  test('fails visibly when what was applied cannot be recorded', async () => {
    const own = await projectDir({});
    await createOrigin(own);
    await writeFile(join(own, 'origin.git/hooks/pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const values = await settingsOf('staging');
    for (const [job, code] of [
      ['plan', 0],
      ['apply', 1],
    ] as const) {
      const ran = await runGitHubJob(own, await freshClone(own, 'main'), job, values);
      expect(ran.code, ran.output).toBe(code);
      if (job === 'apply') expect(ran.output).toContain('git push failed');
    }
  });

  test('the pipeline for GitLab runs the same commands, and records also after a failure', async () => {
    const cwd = await projectDir({});
    await createOrigin(cwd);
    const project = join(cwd, 'project');
    await tokenctl('init --ci gitlab', { cwd: project });
    const pipeline = parse(await readFile(join(project, '.gitlab-ci.yml'), 'utf8')) as GitLabPipeline;
    const { steps } = await readJob(project, 'test');
    expect(pipeline.test?.script).toEqual(steps.flatMap(({ run }) => run ?? []).slice(1));
    await commit(project, 'Add a pipeline for GitLab');
    const values = await settingsOf('staging');
    const env = {
      ...(await createRunner(cwd)),
      ENVIRONMENT: 'staging',
      CI_COMMIT_BRANCH: 'main',
      CI_DEFAULT_BRANCH: 'main',
      TOKENCTL_PUSH_URL: join(cwd, 'origin.git'),
      TOKENCTL_BASE_URL: values['vars.TOKENCTL_BASE_URL'] ?? '',
      TOKENCTL_MANAGEMENT_KEY: values['secrets.TOKENCTL_MANAGEMENT_KEY'] ?? '',
      PROCESSOR_KEY: 'key',
      PROCESSOR_SECRET: 'secret',
    };
    const clone = await freshClone(cwd, 'main');
    const { default: setup, plan, '.apply': apply } = pipeline;
    const scripts = [setup.before_script, plan?.script, apply?.script, apply?.after_script];
    for (const script of scripts) {
      const ran = await runScript(clone, (script ?? []).join('\n'), env);
      expect(ran.code, ran.stderr).toBe(0);
    }
    const log = await must(cwd, 'git', '-C', 'origin.git', 'log', '-1', '--format=%s', 'main');
    expect(log.trim()).toBe('Record what was applied to staging [skip ci]');
  });
});
