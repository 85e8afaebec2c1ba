import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PERMISSION_NAMES } from '../../../../src/contract/permissions.js';
import { type CommandLine, projectDir, tokenctl } from '../../../support/executable.js';
import { problem, type StubAnswer, startStub } from '../../../support/http-server.js';

const CODE = `module.exports = async () => ({ raw: 'new' });\n`;
const ID = '11111111-1111-4111-8111-111111111111';
const MODIFIED = { modified_at: '2026-01-02T00:00:00.000Z' };

const reactor = (code: string, more: object = {}) => ({
  id: ID,
  tenant_id: ID,
  name: 'a',
  code,
  configuration: {},
  created_by: ID,
  created_at: '2026-01-01T00:00:00.000Z',
  ...more,
});
const OLD: StubAnswer = { body: reactor('old') };
const NEW: StubAnswer = { body: reactor(CODE) };

const page = (...data: object[]): StubAnswer => ({
  body: { pagination: { total_items: data.length, page_number: 1, page_size: 100, total_pages: 1 }, data },
});

/** What the caller's key is, and its tenant. */
const IDENTITY: StubAnswer[] = [
  { path: '/tenants/self', body: { id: ID, name: 'Acme' } },
  {
    path: '/applications/key',
    body: { id: ID, tenant_id: ID, name: 'ci', type: 'management', permissions: PERMISSION_NAMES },
  },
];

/** Runs a command in a project with these files, on a service that returns these responses. */
async function run(command: CommandLine, answers: readonly StubAnswer[], files: Record<string, string>) {
  const stub = await startStub(...answers);
  const cwd = await projectDir(files);
  const env = { TOKENCTL_BASE_URL: stub.url, TOKENCTL_API_KEY: 'key_secret' };
  return { ran: await tokenctl(command, { cwd, env }), requests: stub.requests, cwd };
}

/** Deploys `a.js`. */
async function deploy(
  flags: readonly string[],
  answers: readonly StubAnswer[],
  files: Record<string, string> = {},
) {
  const project = { 'a.js': CODE, 'tokenctl.json': '{ "reactors": [{ "code": "a.js" }] }', ...files };
  const { ran, ...rest } = await run(['reactor', 'deploy', ...flags], [...IDENTITY, ...answers], project);
  const { code, stderr, json } = ran;
  return { code, stderr, objects: json.objects, ...rest };
}

describe('what a deployment that failed has left on the service', () => {
  test.each<[string, string, StubAnswer[]]>([
    ['nothing of the name', 'untouched', [page()]],
    ['something of the name', 'unknown', [page(reactor(CODE))]],
    ['cannot be told', 'unknown', [problem(403, 'Forbidden')]],
  ])('of a create that failed, the service has: %s', async (_what, remote, answers) => {
    const { objects } = await deploy([], [page(), problem(403, 'Forbidden'), ...answers]);
    expect(objects[0]).toMatchObject({ status: 'failed', remote });
  });

  const SMOKE = ['--smoke', '{}', '--expect', '{"raw":"proven"}'];
  const untilTested = [page(reactor('old')), NEW, { body: { raw: 'new' } }];

  test('a failed smoke test is reported even if restoring the previous code fails as well', async () => {
    const answers = [...untilTested, problem(403, 'Forbidden'), page(reactor(CODE))];
    const { objects, code, stderr } = await deploy(SMOKE, answers);
    expect(objects[0]).toMatchObject({ status: 'failed', remote: 'written' });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'The response to the smoke test differs from the expected one. Restoring the previous code also failed: Forbidden.',
    );
  });

  test('a slow restore of the previous code is awaited', async () => {
    const slow = { ...OLD, delayMs: 4_500 };
    const { objects } = await deploy(SMOKE, [...untilTested, slow, page(reactor('old', MODIFIED))]);
    expect(objects[0]).toMatchObject({ status: 'failed', remote: 'restored' });
  });

  test('--prune counts a deletion as done if only its response was lost', async () => {
    const created = { id: ID.replaceAll('1', '2'), name: 'former' };
    const objects = [{ kind: 'reactor', created: true, ...created }];
    const lock = { version: 2, services: [{ service: 'emulator', tenant_id: ID, objects }] };
    const answers = [page(reactor('', created)), page(reactor(CODE)), { reset: true as const }];
    const deployed = await deploy(['--prune', '--yes'], [...answers, problem(404, 'Not Found')], {
      'tokenctl.lock.json': JSON.stringify(lock),
    });
    expect(deployed.requests.slice(2).map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
    expect(deployed.objects[1]).toMatchObject({ name: 'former', status: 'deleted', remote: 'removed' });
    expect(deployed.code).toBe(0);
    const { services } = JSON.parse(await readFile(join(deployed.cwd, 'tokenctl.lock.json'), 'utf8'));
    expect(services).toEqual([]);
  });

  test('of two reactors that are created at the same time, the later one is removed and reported', async () => {
    const theirs = reactor(CODE, { id: ID.replaceAll('1', '0') });
    const answers = [page(), NEW, page(theirs, reactor(CODE)), { status: 204, body: '' }];
    const { objects, code, stderr } = await deploy([], answers);
    expect(objects[0]).toMatchObject({ status: 'failed', remote: 'removed' });
    expect(code).toBe(1);
    expect(stderr).toContain(`Another reactor named \\"a\\" was created at the same time: ${theirs.id}.`);
  });
});

describe('what is printed of objects that failed', () => {
  const TWO = {
    'a.js': CODE,
    'tokenctl.yaml': 'reactors: [{ name: one, code: a.js }, { name: two, code: a.js }]\n',
  };

  test.each<[string, StubAnswer, string, number]>([
    ['a rejected key', problem(401, 'Unauthorized'), '', 4],
    ['a missing permission', problem(403, 'Forbidden'), '', 4],
    ['a rate limit', { ...problem(429, 'Too Many Requests'), headers: { 'retry-after': '0' } }, '', 6],
    ['a timeout', { delayMs: 60_000 }, '--timeout 100ms', 7],
  ])('%s that stops every object is printed once, with its code', async (_what, answer, flags, code) => {
    const { ran } = await run(`diff -o table ${flags}`, [answer], TWO);
    expect(ran.code).toBe(code);
    expect(ran.stdout).toBe(['failed     reactor one', 'failed     reactor two', '2 failed\n'].join('\n'));
    expect(ran.stderr.match(/^error: 2 of 2 objects failed: /gm)).toHaveLength(1);
  });

  test('gathered failures keep their field errors, also in the annotation of GitHub', async () => {
    const refusal = problem(400, 'Bad Request', {
      detail: 'The request is not valid; see errors.',
      errors: { url: ['must be a URL that tests accept'] },
    });
    const webhook = (name: string) => ({ name, url: 'https://a.example', events: ['token.created'] });
    const manifest = { webhooks: [webhook('one'), webhook('two')], reactors: [{ code: 'none.js' }] };
    const stub = await startStub(page(), page(), refusal);
    const cwd = await projectDir({ 'tokenctl.json': JSON.stringify(manifest) });
    const service = { TOKENCTL_BASE_URL: stub.url, TOKENCTL_API_KEY: 'key_secret' };
    const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
    const { stderr } = await tokenctl('diff -o table', { cwd, env: { ...service, ...github } });
    expect(stderr).toMatch(/^::error .*must be a URL that tests accept/m);
    expect(stderr).toMatch(/^ {2}webhook two: url: must be a URL that tests accept/m);
  });
});

test('an empty manifest plans nothing and succeeds', async () => {
  const { ran } = await run('plan -o table', [], { 'tokenctl.yaml': '' });
  expect(ran).toMatchObject({ code: 0, stdout: 'nothing to do\n' });
});

test('an application is created without a key, and the key of a service that knows no other way is discarded', async () => {
  const application = { id: ID, tenant_id: ID, name: 'help', type: 'private', permissions: ['token:read'] };
  const answers = [
    ...IDENTITY,
    page(),
    problem(400, 'Bad Request', { errors: { create_key: ['is not a known property'] } }),
    { status: 201, body: { ...application, key: 'key_4711' } },
    page(application),
  ];
  const { ran } = await run('apply --yes', answers, {
    'tokenctl.yaml': 'applications: [{ name: help, type: private, permissions: [token:read] }]\n',
  });
  expect(ran.code).toBe(0);
  expect(ran.stdout + ran.stderr).not.toContain('key_4711');
});

test('a summary that cannot be written ends an apply before anything is changed', async () => {
  const files = {
    'a.js': CODE,
    'tokenctl.json': '{ "reactors": [{ "code": "a.js", "configuration": {} }] }',
  };
  const command = ['apply', '--yes', '--summary', 'missing/summary.md'];
  const { ran, requests } = await run(command, [...IDENTITY, page()], files);
  expect(ran).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/--summary: .*missing.*cannot be written/),
  });
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});
