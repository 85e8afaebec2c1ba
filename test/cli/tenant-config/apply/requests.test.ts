import { expect, test } from 'vitest';
import { EXECUTABLE } from '../../../support/executable.js';
import { startForwarder } from '../../../support/forwarder.js';
import { useSharedEmulator } from '../../../support/shared-emulator.js';
import { openTerminal } from '../../../support/terminal.js';

const emulator = useSharedEmulator();

const COUNT = 12;
/** The tenant, the key, and two lists of each kind, of which each fits into one page: before the writes, and after. */
const MAX_READS = 6;

function manifest(version: number, count = COUNT): string {
  const names = Array.from({ length: count }, (_, index) => `object ${index}`);
  return JSON.stringify({
    reactors: names.map((name) => ({ name, code: 'a.js', configuration: { VERSION: String(version) } })),
    webhooks: names.map((name) => ({ name, url: `https://a.example/${version}`, events: ['token.created'] })),
  });
}

/** A project whose commands count their requests. */
async function countingProject(onFirstWrite = async (_key: string) => {}) {
  const project = await emulator.project({
    'a.js': 'module.exports = async () => ({});',
    'tokenctl.json': manifest(1),
  });
  const { cwd, keys, write } = project;
  let writes = 0;
  const forwarder = await startForwarder(emulator.url, async () => {
    if (!forwarder.requests.at(-1)?.startsWith('GET ') && ++writes === 1) await onFirstWrite(keys.management);
    return undefined;
  });
  const env = { ...project.env, TOKENCTL_BASE_URL: forwarder.url };
  const run = async (command: string) => {
    forwarder.requests.length = 0;
    const ran = await project.run(command, { env });
    const reads = forwarder.requests.filter((request) => request.startsWith('GET ')).length;
    return Object.assign(ran, { reads, writes: forwarder.requests.length - reads });
  };
  return { cwd, env, run, declare: (text: string) => write('tokenctl.json', text) };
}

test('many objects are read by lists, and each takes one request to write', async () => {
  const { run, declare } = await countingProject();
  const expectRequests = async (line: string, summary: object, writes: number) => {
    const ran = await run(line);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.json.summary).toMatchObject(summary);
    expect(ran.writes).toBe(writes);
    expect(ran.reads).toBeLessThanOrEqual(MAX_READS);
  };
  await expectRequests('apply --yes', { created: 2 * COUNT }, 2 * COUNT);
  await expectRequests('diff', { unchanged: 2 * COUNT }, 0);
  await declare(manifest(2));
  await expectRequests('apply --yes', { updated: 2 * COUNT }, 2 * COUNT);
  await expectRequests('diff', { unchanged: 2 * COUNT }, 0);
  await declare(manifest(2, 1));
  await expectRequests('apply --yes --prune', { deleted: 2 * COUNT - 2 }, 2 * COUNT - 2);
});

test('a long apply shows its progress on a terminal', async () => {
  const { cwd, env } = await countingProject();
  const terminal = openTerminal(`'${process.execPath}' '${EXECUTABLE}' apply --yes`, cwd, env);
  await terminal.waitFor(`of ${2 * COUNT} objects`);
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen()).toContain(`${2 * COUNT} created`);
});

test('what a create whose response was lost has made is not made again by a service that ignores idempotency keys', async () => {
  let lost = 0;
  const forwarder = await startForwarder(emulator.url, () =>
    forwarder.requests.at(-1) === 'POST /reactors' && ++lost === 1 ? 'lost' : undefined,
  );
  const { run } = await emulator.project({
    'a.js': 'module.exports = async () => ({});',
    'tokenctl.json': manifest(1, 1),
  });
  const env = { TOKENCTL_BASE_URL: forwarder.url };
  const { code, json, stderr } = await run('apply --yes', { env });
  expect(code, stderr).toBe(0);
  expect(json.summary).toMatchObject({ created: 2, failed: 0 });
  expect((await run('reactor list --quiet', { env })).json.data).toHaveLength(1);
  expect(lost).toBe(1);
});
