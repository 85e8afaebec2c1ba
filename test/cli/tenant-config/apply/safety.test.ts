import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { tokenctl } from '../../../support/executable.js';
import { projectDir } from '../../../support/project-dir.js';
import { type SharedEmulator, startSharedEmulator } from '../../../support/shared-emulator.js';
import { problem, startStub } from '../../../support/stub.js';

let emulator: SharedEmulator;
beforeAll(async () => {
  emulator = await startSharedEmulator();
});
afterAll(() => emulator.close());

const CODE = 'module.exports = async () => ({ raw: 1 });\n';

/** A project whose commands run on a fresh tenant. */
async function setUp(files: Record<string, string>) {
  const cwd = await projectDir(files);
  const { env } = await emulator.tenant();
  return { cwd, run: (...words: string[]) => tokenctl(words, { cwd, env }) };
}

test('an apply that takes permissions from its own key needs the name of the application', async () => {
  const { cwd, run } = await setUp({});
  const held = JSON.parse((await run('application', 'get', 'management')).stdout).permissions as string[];
  const manifest = (permissions: string[]) =>
    JSON.stringify({ applications: [{ name: 'management', type: 'management', permissions }] });
  await writeFile(join(cwd, 'tokenctl.json'), manifest(held.filter((one) => one !== 'webhook:update')));
  const refused = await run('apply', '--yes');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('--confirm=management');
  expect(refused.stderr).toContain('webhook:update');
  expect(JSON.parse((await run('application', 'get', 'management')).stdout).permissions).toEqual(held);
  expect(await run('plan', '--out', 'plan.json')).toMatchObject({ code: 0 });
  expect(await run('apply', 'plan.json')).toMatchObject({ code: 2 });
  expect(await run('apply', 'plan.json', '--confirm=management')).toMatchObject({ code: 0 });
});

test('a change made by hand that an apply overwrites is recorded as a version', async () => {
  const { cwd, run } = await setUp({
    'r.js': CODE,
    'tokenctl.yaml': 'reactors: [{ name: r, code: r.js }]\n',
  });
  expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
  const byHand = CODE.replace('1', '"by hand"');
  expect(await run('reactor', 'update', 'r', '--code', byHand)).toMatchObject({ code: 0 });
  await writeFile(join(cwd, 'r.js'), CODE.replace('1', '2'));
  expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
  expect(await run('reactor', 'rollback', 'r')).toMatchObject({ code: 0 });
  expect(JSON.parse((await run('reactor', 'get', 'r')).stdout).code).toBe(byHand);
  // What an apply replaced and had recorded itself is not recorded twice.
  await run('reactor', 'rollback', 'r', '--to', '1');
  const history = JSON.parse((await run('reactor', 'history', 'r')).stdout);
  expect(history.data ?? history.versions ?? history).toHaveLength(5);
});

const PAGE = { pagination: { total_items: 0, page_number: 1, page_size: 100, total_pages: 1 }, data: [] };

test('gathered failures keep their field errors, in the report, the annotation and the job summary', async () => {
  const refusal = problem(400, 'Bad Request', {
    detail: 'The request is not valid; see errors.',
    errors: { url: ['must be a URL that tests accept'] },
  });
  const stub = await startStub({ body: PAGE }, { body: PAGE }, refusal);
  onTestFinished(() => stub.close());
  const webhook = (name: string) => ({ name, url: 'https://a.example', events: ['token.created'] });
  const cwd = await projectDir({
    'tokenctl.json': JSON.stringify({
      webhooks: [webhook('one'), webhook('two')],
      reactors: [{ code: 'none.js' }],
    }),
  });
  const env = {
    TOKENCTL_BASE_URL: stub.url,
    TOKENCTL_API_KEY: 'key_secret',
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
  };
  const { stderr } = await tokenctl(['diff', '-o', 'table'], { cwd, env });
  expect(stderr).toMatch(/^::error .*must be a URL that tests accept/m);
  expect(stderr).toMatch(/^ {2}webhook two: url: must be a URL that tests accept/m);
});
