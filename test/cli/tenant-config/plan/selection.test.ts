import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir, tokenctl } from '../../../support/executable.js';
import { useSharedEmulator } from '../../../support/shared-emulator.js';

const emulator = useSharedEmulator();

const proxy = (name: string, more = {}) => ({
  name,
  destination_url: 'https://processor.example',
  application: 'payments',
  ...more,
});
const MANIFEST = {
  applications: [{ name: 'payments', type: 'private', permissions: ['token:read'] }],
  proxies: ['charge-card', 'charge-bank', 'refund'].map((name) => proxy(name)),
  reactors: [{ name: 'broken', code: 'none.js' }],
};

async function setUp() {
  const cwd = await projectDir({ 'tokenctl.json': JSON.stringify(MANIFEST) });
  const { env } = await emulator.tenant();
  const run = (line: string) => tokenctl(line, { cwd, env });
  const list = async (line: string) => {
    const { json, stderr } = await run(line);
    if (!json) throw new Error(stderr);
    return json.objects.map(({ kind, name, status }: Record<string, string>) => `${kind}/${name} ${status}`);
  };
  return { cwd, run, list };
}

test('plan, apply and diff are limited to what patterns select, and do not build the rest', async () => {
  const { run, list } = await setUp();
  const created = ['application/payments created'];
  expect(await list('plan application')).toEqual(created);
  expect(await list('apply application/payments --yes')).toEqual(created);
  // What they refer to is not selected, and found on the service.
  expect(await list('plan --only proxy/charge-* --exclude proxy/*-bank')).toEqual([
    'proxy/charge-card created',
  ]);
  expect(await list('apply proxy/charge-card proxy/refund --yes')).toEqual([
    'proxy/charge-card created',
    'proxy/refund created',
  ]);
  expect(await list('diff proxy reactor --exclude reactor/broken')).toEqual([
    'proxy/charge-card unchanged',
    'proxy/charge-bank created',
    'proxy/refund unchanged',
  ]);
  expect(await list('diff --only proxy/refund --unmanaged')).toEqual(['proxy/refund unchanged']);
  expect((await run('diff proxy/refund --exit-code')).code).toBe(0);
});

test('a plan file of a part is applied, and takes no patterns', async () => {
  const { run, list } = await setUp();
  expect(await list('plan application --out plan.json')).toEqual(['application/payments created']);
  expect(await run('apply plan.json --only reactor')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--only cannot be combined with a plan file'),
  });
  expect(await list('apply plan.json')).toEqual(['application/payments created']);
});

test('--prune deletes nothing that is not selected, and nothing that was renamed', async () => {
  const { cwd, run, list } = await setUp();
  await run('apply --yes --exclude reactor/broken');
  const card = proxy('card', { previous_name: 'charge-card' });
  const left = { ...MANIFEST, proxies: [card, proxy('refund')] };
  await writeFile(join(cwd, 'tokenctl.json'), JSON.stringify(left));
  expect(await list('plan --prune --only application')).toEqual(['application/payments unchanged']);
  expect(await list('plan --prune proxy/refund')).toEqual(['proxy/refund unchanged']);
  expect(await list('apply --prune --yes proxy/charge-bank')).toEqual(['proxy/charge-bank deleted']);
  expect((await run('plan --prune proxy/charge-card')).stderr).toContain(
    'The manifest declares no \\"proxy/charge-card\\".',
  );
});

test.each([
  ['reactor/absent', 'The manifest declares no \\"reactor/absent\\".'],
  ['recator', 'must be a kind, or a kind and a name. Did you mean reactor?'],
  ['--exclude=charge-*', '\\"charge-*\\" must be a kind, or a kind and a name.'],
])('plan %s is refused', async (argument, message) => {
  const { run } = await setUp();
  expect(await run(`plan ${argument}`)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});
