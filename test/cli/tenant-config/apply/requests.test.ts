import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EXECUTABLE, tokenctl } from '../../../support/executable.js';
import { startForwarder } from '../../../support/forwarder.js';
import { projectDir } from '../../../support/project-dir.js';
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
    webhooks: names.map((name) => ({
      name,
      url: `https://example.com/${version}`,
      events: ['token.created'],
    })),
  });
}

/** A project whose commands count their requests. */
async function countingProject(onFirstWrite = async (_key: string) => {}) {
  const { env, keys } = await emulator.tenant();
  let writes = 0;
  const forwarder = await startForwarder(emulator.url, async () => {
    if (!forwarder.requests.at(-1)?.startsWith('GET ') && ++writes === 1) await onFirstWrite(keys.management);
    return undefined;
  });
  const cwd = await projectDir({
    'a.js': 'module.exports = async () => ({});',
    'tokenctl.json': manifest(1),
  });
  const target = { ...env, TOKENCTL_BASE_URL: forwarder.url };
  const run = async (...args: string[]) => {
    forwarder.requests.length = 0;
    const { code, stdout, stderr } = await tokenctl(args, { cwd, env: target });
    const reads = forwarder.requests.filter((request) => request.startsWith('GET ')).length;
    return { code, stderr, stdout, reads, writes: forwarder.requests.length - reads };
  };
  return { cwd, env: target, run, declare: (text: string) => writeFile(join(cwd, 'tokenctl.json'), text) };
}

test('many objects are read by lists, and each takes one request to write', async () => {
  const { run, declare } = await countingProject();
  const expectRequests = async (args: string[], summary: object, writes: number) => {
    const ran = await run(...args);
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout).summary).toMatchObject(summary);
    expect(ran.writes).toBe(writes);
    expect(ran.reads).toBeLessThanOrEqual(MAX_READS);
  };
  await expectRequests(['apply', '--yes'], { created: 2 * COUNT }, 2 * COUNT);
  await expectRequests(['diff'], { unchanged: 2 * COUNT }, 0);
  await declare(manifest(2));
  await expectRequests(['apply', '--yes'], { updated: 2 * COUNT }, 2 * COUNT);
  await expectRequests(['diff'], { unchanged: 2 * COUNT }, 0);
  await declare(manifest(2, 1));
  await expectRequests(['apply', '--yes', '--prune'], { deleted: 2 * COUNT - 2 }, 2 * COUNT - 2);
});

test('of many objects, one that someone else creates at the same time is removed and reported', async () => {
  const rival = { name: 'object 7', code: 'module.exports = async () => ({});', configuration: {} };
  const { run } = await countingProject(async (key) => {
    const headers = { 'svc-api-key': key, 'content-type': 'application/json' };
    await fetch(`${emulator.url}/reactors`, { method: 'POST', headers, body: JSON.stringify(rival) });
  });
  const { code, stdout } = await run('apply', '--yes');
  expect(code).toBe(1);
  const { summary, objects } = JSON.parse(stdout);
  expect(summary).toMatchObject({ created: 2 * COUNT - 1, failed: 1 });
  expect(objects.find(({ status }: { status: string }) => status === 'failed')).toMatchObject({
    name: rival.name,
    remote: 'removed',
  });
  const { stdout: listed } = await run('reactor', 'list', '--name', rival.name, '--jq', '.data | length');
  expect(listed.trim()).toBe('1');
});

test('a long apply shows its progress on a terminal', async () => {
  const { cwd, env } = await countingProject();
  const terminal = openTerminal(`'${process.execPath}' '${EXECUTABLE}' apply --yes`, cwd, env);
  await terminal.waitFor(`of ${2 * COUNT} objects`);
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen()).toContain(`${2 * COUNT} created`);
});

test('a plan says on a terminal what takes time, and leaves nothing of it behind', async () => {
  const { cwd, env } = await countingProject();
  const slow = await startForwarder(env.TOKENCTL_BASE_URL, async () => {
    if (slow.requests.at(-1)?.startsWith('GET /webhooks')) await sleep(2_000);
    return undefined;
  });
  const target = { ...env, TOKENCTL_BASE_URL: slow.url };
  const terminal = openTerminal(`stty cols 80; '${process.execPath}' '${EXECUTABLE}' plan`, cwd, target);
  for (const step of ['Reading the service …', `${2 * COUNT} to create`]) await terminal.waitFor(step);
  expect(await terminal.ended()).toBe(0);
  const raw = terminal.raw();
  expect(raw.slice(raw.lastIndexOf('Reading the service …'))).toContain('\u001b[0K');
});

test('what a create whose response was lost has made is not made again by a service that ignores idempotency keys', async () => {
  let lost = 0;
  const forwarder = await startForwarder(emulator.url, () =>
    forwarder.requests.at(-1) === 'POST /reactors' && ++lost === 1 ? 'lost' : undefined,
  );
  const { cwd, env } = await emulator.project({
    'a.js': 'module.exports = async () => ({});',
    'tokenctl.json': manifest(1, 1),
  });
  const run = (...args: string[]) =>
    tokenctl(args, { cwd, env: { ...env, TOKENCTL_BASE_URL: forwarder.url } });
  const { code, stdout, stderr } = await run('apply', '--yes');
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout).summary).toMatchObject({ created: 2, failed: 0 });
  expect(JSON.parse((await run('reactor', 'list', '--quiet')).stdout).data).toHaveLength(1);
  expect(lost).toBe(1);
});
