import { expect, onTestFinished, test } from 'vitest';
import { PERMISSION_NAMES } from '../../../../src/contract/permissions.js';
import { tokenctl } from '../../../support/executable.js';
import { projectDir } from '../../../support/project-dir.js';
import { problem, type StubAnswer, startStub } from '../../../support/stub.js';

const MANIFEST = {
  'a.js': 'module.exports = async () => ({});',
  'tokenctl.yaml': 'reactors: [{ name: one, code: a.js }, { name: two, code: a.js }]\n',
};

async function run(args: string[], answers: StubAnswer[], files: Record<string, string> = MANIFEST) {
  const stub = await startStub(...answers);
  onTestFinished(() => stub.close());
  const env = { TOKENCTL_BASE_URL: stub.url, TOKENCTL_API_KEY: 'key_secret' };
  return tokenctl(args, { cwd: await projectDir(files), env });
}

test.each<[string, StubAnswer, string[], number]>([
  ['a rejected key', problem(401, 'Unauthorized'), [], 4],
  ['a missing permission', problem(403, 'Forbidden'), [], 4],
  ['a rate limit', { ...problem(429, 'Too Many Requests'), headers: { 'retry-after': '0' } }, [], 6],
  ['a timeout', { delayMs: 60_000 }, ['--timeout', '100ms'], 7],
])(
  '%s that stops every object is printed once and gives the exit code',
  async (_what, answer, flags, code) => {
    const ran = await run(['diff', '-o', 'table', ...flags], [answer]);
    expect(ran.code).toBe(code);
    expect(ran.stdout).toBe(
      [
        'failed     reactor one  nothing was changed on the service',
        'failed     reactor two  nothing was changed on the service',
        '2 failed\n',
      ].join('\n'),
    );
    expect(ran.stderr.match(/^error: 2 of 2 objects failed: /gm)).toHaveLength(1);
  },
);

test('failures for different reasons exit 1, each with its reason', async () => {
  const { code, stderr } = await run(['diff', '-o', 'table'], [], {
    ...MANIFEST,
    'tokenctl.yaml':
      'reactors: [{ name: one, code: none.js }, { name: two, code: a.js, env_file: none.env }, { name: three, code: a.js }]\n',
  });
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/reactor one: [\s\S]*reactor two: /);
});

test('texts stand below each other, whatever the names are, but a long name does not push the others away', async () => {
  const names = ['one', 'a longer one', 'l'.repeat(40)];
  const reactors = names.map((name) => ({ name, code: 'none.js' }));
  const { stdout } = await run(['diff', '-o', 'table'], [], {
    'tokenctl.yaml': JSON.stringify({ reactors }),
  });
  const lines = stdout.split('\n').filter((line) => line.startsWith('failed '));
  expect(lines).toEqual([
    'failed     reactor one           nothing was changed on the service',
    'failed     reactor a longer one  nothing was changed on the service',
    `failed     reactor ${'l'.repeat(40)}  nothing was changed on the service`,
  ]);
});

test('an empty manifest plans nothing and succeeds', async () => {
  const { code, stdout } = await run(['plan', '-o', 'table'], [], { 'tokenctl.yaml': '' });
  expect([code, stdout]).toEqual([0, 'nothing to do\n']);
});

test('an application is created without a key, and the key of a service that knows no other way is discarded', async () => {
  const id = '11111111-1111-4111-8111-111111111111';
  const application = { id, tenant_id: id, name: 'support', type: 'private', permissions: ['token:read'] };
  const page = (...data: object[]): StubAnswer => ({
    body: { pagination: { total_items: data.length, page_number: 1, page_size: 100, total_pages: 1 }, data },
  });
  const { code, stdout, stderr } = await run(
    ['apply', '--yes'],
    [
      { path: '/tenants/self', body: { id, name: 'Acme' } },
      { path: '/applications/key', body: { ...application, permissions: PERMISSION_NAMES } },
      page(),
      problem(400, 'Bad Request', { errors: { create_key: ['is not a known property'] } }),
      { status: 201, body: { ...application, key: 'key_4711' } },
      page(application),
    ],
    { 'tokenctl.yaml': 'applications: [{ name: support, type: private, permissions: [token:read] }]\n' },
  );
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain('key_4711');
});
