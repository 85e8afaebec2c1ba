import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from '../../../support/call.js';
import { tokenctl } from '../../../support/executable.js';
import { useSharedEmulator } from '../../../support/shared-emulator.js';

const emulator = useSharedEmulator();

const CODE = 'module.exports = async () => ({ raw: 1 });\n';

/** A project whose commands run on a fresh tenant. */
const setUp = (files: Record<string, string>) => emulator.project({ 'r.js': CODE, ...files });

test('diff --unmanaged lists what the manifest does not declare, and counts it as no difference', async () => {
  const { run, keys } = await setUp({
    'tokenctl.yaml':
      'reactors: [{ name: ours, code: r.js }, { name: new name, previous_name: old, code: r.js }]\n',
  });
  const create = (path: string, body: object) =>
    call({ ...emulator, keys }, 'POST', path, { as: 'management', body });
  for (const name of ['ours', 'old', 'theirs'])
    await create('/reactors', { name, code: CODE, configuration: {} });
  await create('/proxies', { name: 'theirs', destination_url: 'https://example.com' });

  const report = (await run('diff --unmanaged --json')).json;
  const unmanaged = report.objects.filter(({ status }: { status: string }) => status === 'unmanaged');
  expect(unmanaged.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`).sort()).toEqual(
    ['application management', 'application private', 'application public', 'proxy theirs', 'reactor theirs'],
  );
  expect(report.summary).toMatchObject({ unmanaged: 5, updated: 1, unchanged: 1 });
  expect(unmanaged[0]).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), changes: [] });
  expect((await run('diff --json')).json.summary).not.toHaveProperty('unmanaged');

  await run('apply --yes');
  const table = await run('diff --unmanaged --exit-code --output table');
  expect(table.code, table.stderr).toBe(0);
  expect(table.stdout).toMatch(/^unmanaged {2}reactor theirs +[0-9a-f-]{36}$/m);
  expect(table.stdout.trimEnd()).toMatch(/\n2 unchanged, 5 unmanaged$/);
});

test('diff --unmanaged does not call an object unmanaged whose files are not valid', async () => {
  const { run } = await setUp({ 'tokenctl.yaml': 'reactors: [{ name: ours, code: absent.js }]\n' });
  await run(['reactor', 'create', '--name', 'ours', '--code', CODE]);
  const { objects } = (await run('diff --unmanaged --json')).json;
  expect(objects.filter(({ name }: { name: string }) => name === 'ours')).toMatchObject([
    { status: 'failed' },
  ]);
});

test('pull leaves a reference to a deleted application out and says so', async () => {
  const { cwd, env, run } = await setUp({});
  const made = await run('application create --name gone --type private --permission token:read');
  const { id } = made.json;
  for (const [kind, ...content] of [
    ['reactor', '--code', CODE],
    ['proxy', '--destination-url', 'https://example.com'],
  ] as const)
    await run([kind, 'create', '--name', 'orphan', '--application', id, ...content]);
  await run(`application delete '${id}' --yes`);

  const pulled = await run('pull tenant');
  expect(pulled.code, pulled.stderr).toBe(0);
  for (const kind of ['reactor', 'proxy'])
    expect(pulled.stderr).toContain(
      `The ${kind} "orphan" is declared without its application, ${id}, which no longer exists.`,
    );
  expect(await readFile(join(cwd, 'tenant', 'tokenctl.yaml'), 'utf8')).not.toContain(id);
  const diff = await tokenctl('diff --exit-code', { cwd: join(cwd, 'tenant'), env });
  expect(diff.code, diff.stdout + diff.stderr).toBe(0);
});

test('pull keeps an address of the service from being read as a reference', async () => {
  const { cwd, run } = await setUp({});
  await run([
    'webhook',
    'create',
    '--name',
    'w',
    '--url',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what a reference looks like.
    'https://e.example/?k=${env:SECRET}',
    '--event',
    'token.created',
  ]);
  await run('pull tenant');
  expect(await readFile(join(cwd, 'tenant', 'tokenctl.yaml'), 'utf8')).toContain('k=$${env:SECRET}');
});

test('external leaves modules out of the transforms of a proxy', async () => {
  const transform =
    "const lib = require('lib-of-the-service');\nmodule.exports = async ({ args }) => lib(args);\n";
  const manifest = (external: string) =>
    `proxies: [{ name: p, destination_url: 'https://example.com', request_transform: t.js${external} }]\n`;
  const { run } = await setUp({
    't.js': transform,
    'tokenctl.yaml': manifest(', external: [lib-of-the-service]'),
  });
  const applied = await run('apply --yes');
  expect(applied.code, applied.stderr).toBe(0);
  const [proxy] = (await run('proxy list')).json.data;
  expect(proxy.request_transform.code).toBe(transform);
});
