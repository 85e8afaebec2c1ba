import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { projectDir, tokenctl } from '../../support/executable.js';
import { type ForwarderAnswer, startForwarder } from '../../support/forwarder.js';
import { type TestTarget, useSharedEmulator } from '../../support/shared-emulator.js';
import { allTokens, createTokens } from '../../support/tokens.js';

const emulator = useSharedEmulator({ memory: true });

const QUERY = 'metadata.batch:old';
const DELETE = ['token', 'delete', '--query', QUERY];

/** Creates a tenant with some tokens that match the query, and two that do not. */
async function tenantWith(matching: number, more: (index: number) => object = () => ({})) {
  const target = await emulator.tenant();
  const row = (data: number, batch: string) => {
    return { id: `${batch}-${data}`, type: 'token', data, metadata: { batch } };
  };
  const rows = Array.from({ length: matching }, (_, index) => ({ ...row(index, 'old'), ...more(index) }));
  await createTokens(target, [row(0, 'new'), ...rows, row(1, 'new')]);
  return { ...target, cwd: await projectDir({}) };
}

/** The ids of all tokens. */
async function storedIds(target: Pick<TestTarget, 'env'>): Promise<string[]> {
  return (await allTokens(target)).map(({ id }) => id).sort();
}

const forward = (answer: (count: number) => ForwarderAnswer | Promise<ForwarderAnswer>) =>
  startForwarder(emulator.url, answer);

test('token delete --query deletes what the search finds and nothing else', async () => {
  const { cwd, env } = await tenantWith(250);
  expect(await tokenctl([...DELETE, '--yes'], { cwd, env })).toMatchObject({
    code: 0,
    json: { version: 1, tokens: 250, deleted: 250, failed: 0 },
  });
  expect(await storedIds({ env })).toEqual(['new-0', 'new-1']);
  expect(await readdir(cwd)).toEqual([]);
  const again = await tokenctl([...DELETE, '--yes'], { cwd, env });
  expect(again).toMatchObject({ code: 0, json: { tokens: 0, deleted: 0 } });
  expect(again.stderr).toContain('No token matches the query.');
});

test('token delete --query deletes the others when some tokens are refused', async () => {
  const target = await tenantWith(40, (index) => ({ containers: [index % 4 === 0 ? '/kept/' : '/free/'] }));
  const { cwd, env } = target;
  const rule = (container: string, permissions: string[], priority: number) => ({
    description: 'x',
    priority,
    container,
    transform: 'mask',
    permissions,
  });
  const rules = [rule('/', ['token:search', 'token:read'], 1), rule('/free/', ['token:delete'], 2)];
  const args = ['--name', 'limited', '--type', 'private', '--rules', JSON.stringify(rules)];
  const created = await tokenctl(['application', 'create', ...args, '-o', 'json'], { cwd, env });
  const key = created.json.key;
  const ran = await tokenctl([...DELETE, '--yes', '-o', 'table'], {
    cwd,
    env: { ...env, TOKENCTL_PRIVATE_KEY: key },
  });
  expect(ran).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('10 of 40 tokens were not deleted.'),
  });
  expect(ran.stderr).toMatch(/warning: token old-\d+: /);
  const kept = Array.from({ length: 10 }, (_, index) => `old-${4 * index}`);
  expect(await storedIds({ env })).toEqual([...kept, 'new-0', 'new-1'].sort());
});

test('token delete --query: a key that may not delete ends it', async () => {
  const { cwd, env } = await tenantWith(200);
  const args = 'application create --name reader --type private --permission token:search -o json';
  const { key } = (await tokenctl(args, { cwd, env })).json;
  const { url, requests } = await forward(() => undefined);
  const reader = { ...env, TOKENCTL_PRIVATE_KEY: key, TOKENCTL_BASE_URL: url };
  expect((await tokenctl([...DELETE, '--yes'], { cwd, env: reader })).code).toBe(4);
  // Those in flight end, and no other begins.
  expect(requests.filter((request) => request.startsWith('DELETE')).length).toBeLessThan(110);
  expect(await storedIds({ env })).toHaveLength(202);
});

test('an interrupted deletion says how far it came, and the same command deletes the others', async () => {
  const { cwd, env } = await tenantWith(100);
  let gone = true;
  // The search, and about twenty tokens.
  const { url } = await forward((count) => (gone && count > 21 ? 'reset' : undefined));
  const options = { cwd, env: { ...env, TOKENCTL_BASE_URL: url } };
  expect(await tokenctl([...DELETE, '--yes'], options)).toMatchObject({
    code: 7,
    stderr: expect.stringMatching(/Stopped after \d+ of 100 tokens\. The same command deletes the others\./),
  });
  gone = false;
  const second = await tokenctl([...DELETE, '--yes'], options);
  expect(second.code).toBe(0);
  expect(second.json.tokens).toBeLessThan(100);
  expect(await storedIds({ env })).toEqual(['new-0', 'new-1']);
  expect(await readdir(cwd)).toEqual([]);
});
