import { expect, onTestFinished, test } from 'vitest';
import { EXECUTABLE, projectDir, startEmulatorProcess, tokenctl } from '../../support/executable.js';
import { startStub } from '../../support/http-server.js';
import { openTerminal } from '../../support/terminal.js';

const TEXT = 'Waiting for the service …';
/** Several times what the spinner waits for, and what its package takes to load on a busy machine. */
const SLOW_MS = 3_000;

async function target(delayMs: number) {
  const pagination = { total_items: 0, page_number: 1, page_size: 20, total_pages: 1 };
  const stub = await startStub({ delayMs, body: { pagination, data: [] } });
  return { TOKENCTL_BASE_URL: stub.url, TOKENCTL_API_KEY: 'key_secret' };
}

async function listOnTerminal(delayMs: number, columns: number) {
  const terminal = openTerminal(
    `stty cols ${columns}; '${process.execPath}' '${EXECUTABLE}' token list`,
    await projectDir({}),
    await target(delayMs),
  );
  expect(await terminal.ended()).toBe(0);
  return terminal;
}

test('a response that takes long shows a spinner on a terminal, which leaves nothing behind', async () => {
  const raw = (await listOnTerminal(SLOW_MS, 80)).raw();
  expect(raw).toContain(TEXT);
  expect(raw.slice(raw.lastIndexOf(TEXT))).toContain('\u001b[0K');
});

test('a command for emulators shows a spinner as well when the emulator takes long', async () => {
  const cwd = await projectDir({});
  const { pid } = await startEmulatorProcess([], { cwd });
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
  const terminal = openTerminal(
    `stty cols 80; '${process.execPath}' '${EXECUTABLE}' emulator snapshot save initial`,
    cwd,
  );
  await terminal.waitFor('Waiting for the emulator …');
  process.kill(pid, 'SIGCONT');
  await terminal.waitFor('Saved snapshot initial');
  expect(await terminal.ended()).toBe(0);
});

test('off a terminal there is no spinner', async () => {
  const { stderr } = await tokenctl('token list', { cwd: await projectDir({}), env: await target(SLOW_MS) });
  expect(stderr).toBe('');
});
