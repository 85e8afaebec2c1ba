import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { cleanEnvironment, EXECUTABLE } from '../../support/executable.js';
import { projectDir } from '../../support/project-dir.js';
import { type StubAnswer, startStub } from '../../support/stub.js';

async function stubbed(answer: StubAnswer) {
  const stub = await startStub(answer);
  onTestFinished(() => stub.close());
  return stub;
}

test('webhook listen rejects what is not an event, does not forward it, and goes on', async () => {
  const service = await stubbed({ body: { id: 'hook' } });
  const target = await stubbed({ status: 202, body: {} });
  const cwd = await projectDir({});
  const env = cleanEnvironment(cwd, { TOKENCTL_BASE_URL: service.url, TOKENCTL_API_KEY: 'k' });
  const args = [EXECUTABLE, 'webhook', 'listen', '--forward-to', target.url];
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stderr, 'data');
  while (service.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const { url } = JSON.parse(service.requests[0]?.body ?? '');
  const send = async (body: string) =>
    (await fetch(url, { method: 'POST', body }).catch(() => undefined))?.status;

  const forged = JSON.stringify({ event: { id: 'one\ntwo', type: 'token.created' } });
  for (const body of [
    '',
    'no JSON',
    'null',
    '{"event":1}',
    '{"event":{"id":1}}',
    forged,
    'a'.repeat(2_000_000),
  ])
    expect([400, undefined]).toContain(await send(body));
  expect(await send('{"event":{"id":"one","type":"token.created"}}')).toBe(202);
  expect(target.requests.map(({ body }) => body)).toEqual(['{"event":{"id":"one","type":"token.created"}}']);
});

/** Runs `webhook listen` and presses Ctrl-C when it is ready, after `onReady`. */
async function listenAndInterrupt(url: string, onReady: () => Promise<void> = async () => {}) {
  const cwd = await projectDir({});
  const env = cleanEnvironment(cwd, { TOKENCTL_BASE_URL: url, TOKENCTL_API_KEY: 'k' });
  const args = [EXECUTABLE, 'webhook', 'listen', '--forward-to', 'http://127.0.0.1:9/'];
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  for await (const text of child.stderr) {
    stderr += text;
    if (!String(text).includes('Press Ctrl-C')) continue;
    await onReady();
    child.kill('SIGINT');
  }
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode, stderr };
}

test('webhook listen deletes its webhook on Ctrl-C and exits with 130', async () => {
  const service = await stubbed({ body: { id: 'hook' } });
  const { code } = await listenAndInterrupt(service.url);
  expect([code, service.requests.at(-1)?.method]).toEqual([130, 'DELETE']);
});

test('webhook listen names the webhook that it could not delete', async () => {
  const service = await stubbed({ body: { id: 'hook' } });
  const { code, stderr } = await listenAndInterrupt(service.url, () => service.close());
  expect(code).toBe(130);
  expect(stderr).toMatch(/left on the service: Nothing listens on .*tokenctl webhook delete hook/);
});
