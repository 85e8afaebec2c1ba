import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PERMISSION_NAMES } from '../../../../src/contract/permissions.js';
import { tokenctl } from '../../../support/executable.js';
import { projectDir } from '../../../support/project-dir.js';
import { problem, type StubAnswer, startStub } from '../../../support/stub.js';

const CODE = `module.exports = async () => ({ raw: 'new' });\n`;
const ID = '11111111-1111-4111-8111-111111111111';
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
const ANSWERED: Record<'old' | 'new', StubAnswer> = {
  old: { body: reactor('old') },
  new: { body: reactor(CODE) },
};
/** What the caller's key is, and its tenant. */
const IDENTITY: StubAnswer[] = [
  { path: '/tenants/self', body: { id: ID, name: 'Acme' } },
  {
    path: '/applications/key',
    body: { id: ID, tenant_id: ID, name: 'ci', type: 'management', permissions: PERMISSION_NAMES },
  },
];
const page = (...data: object[]): StubAnswer => ({
  body: {
    pagination: { total_items: data.length, page_number: 1, page_size: 100, total_pages: 1 },
    data,
  },
});

/** Deploys `a.js` to a service that returns these responses. */
async function deploy(flags: readonly string[], answers: readonly StubAnswer[], lock?: object) {
  const stub = await startStub(...IDENTITY, ...answers);
  onTestFinished(() => stub.close());
  const cwd = await projectDir({ 'a.js': CODE, 'tokenctl.json': '{ "reactors": [{ "code": "a.js" }] }' });
  const lockPath = join(cwd, 'tokenctl.lock.json');
  if (lock) await writeFile(lockPath, JSON.stringify(lock));
  const env = { TOKENCTL_BASE_URL: stub.url, TOKENCTL_API_KEY: 'key_secret' };
  const ran = await tokenctl(['reactor', 'deploy', ...flags], { cwd, env });
  return { ...ran, report: JSON.parse(ran.stdout), requests: stub.requests, lockPath };
}

test.each<[string, string, StubAnswer[]]>([
  ['nothing of the name', 'untouched', [page()]],
  ['something of the name', 'unknown', [page(reactor(CODE))]],
  ['cannot be told', 'unknown', [problem(403, 'Forbidden')]],
])('of a create that failed, the service has: %s', async (_what, remote, answers) => {
  const { report } = await deploy([], [page(), problem(403, 'Forbidden'), ...answers]);
  expect(report.objects[0]).toMatchObject({ status: 'failed', remote });
});

test.each<[string, string, object]>([
  ['what was sent', 'written', reactor(CODE, { modified_at: '2026-01-02T00:00:00.000Z' })],
  ['what it had', 'untouched', reactor('old')],
  ['something else', 'unknown', reactor('theirs')],
])('of an update whose response is not valid, the service has: %s', async (_what, remote, stored) => {
  const { report } = await deploy([], [page(reactor('old')), { body: '<html>' }, page(stored)]);
  expect(report.objects[0]).toMatchObject({ status: 'failed', remote });
});

const SMOKE = ['--smoke', '{}', '--expect', '{"raw":"proven"}'];
const untilTested = [page(reactor('old')), ANSWERED.new, { body: { raw: 'new' } }];
const modified = { modified_at: '2026-01-02T00:00:00.000Z' };

test('a failed smoke test is reported even if restoring the previous code fails as well', async () => {
  const { report, code, stderr } = await deploy(SMOKE, [
    ...untilTested,
    problem(403, 'Forbidden'),
    page(reactor(CODE)),
  ]);
  expect(report.objects[0]).toMatchObject({ status: 'failed', remote: 'written' });
  expect(code).toBe(1);
  expect(stderr).toContain(
    'The response to the smoke test differs from the expected one. Restoring the previous code also failed: Forbidden.',
  );
});

test('a slow restore of the previous code is awaited', async () => {
  const slow = { ...ANSWERED.old, delayMs: 4_500 };
  const { report } = await deploy(SMOKE, [...untilTested, slow, page(reactor('old', modified))]);
  expect(report.objects[0]).toMatchObject({ status: 'failed', remote: 'restored' });
});

test('--prune counts a deletion as done if only its response was lost', async () => {
  const created = { id: ID.replaceAll('1', '2'), name: 'former' };
  const { report, code, requests, lockPath } = await deploy(
    ['--prune', '--yes'],
    [page(reactor('', created)), page(reactor(CODE)), { reset: true }, problem(404, 'Not Found')],
    {
      version: 2,
      services: [
        {
          service: 'emulator',
          tenant_id: ID,
          objects: [{ kind: 'reactor', created: true, ...created }],
        },
      ],
    },
  );
  expect(requests.slice(2).map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  expect(report.objects[1]).toMatchObject({ name: 'former', status: 'deleted', remote: 'removed' });
  expect(code).toBe(0);
  expect(JSON.parse(await readFile(lockPath, 'utf8')).services).toEqual([]);
});

test('of two reactors that are created at the same time, the later one is removed and reported', async () => {
  const theirs = reactor(CODE, { id: ID.replaceAll('1', '0') });
  const { report, code, stderr } = await deploy(
    [],
    [page(), ANSWERED.new, page(theirs, reactor(CODE)), { status: 204, body: '' }],
  );
  expect(report.objects[0]).toMatchObject({ status: 'failed', remote: 'removed' });
  expect(code).toBe(1);
  expect(stderr).toContain(`Another reactor named \\"a\\" was created at the same time: ${theirs.id}.`);
});
