import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connectEmulator, type TestEmulator } from '../src/testing/index.js';

export const EXECUTABLE = fileURLToPath(new URL('../bin/tokenctl.js', import.meta.url));

export interface EmulatorServer {
  url: string;
  port: number;
  pid: number;
  /** Milliseconds from the start of the process until it accepted requests. */
  startMs: number;
  tenantId: string;
  keys: { management: string; private: string; public: string };
  controlToken: string;
  isAlive(): boolean;
  /** @param signal default SIGTERM */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a process and waits for the first line that it prints. Its messages are shown only if it fails to start. */
async function start(args: string[]): Promise<{ child: ChildProcess; line: string; startMs: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let messages = '';
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (messages = (messages + text).slice(-10_000)));
  const lines = createInterface({ input: child.stdout });
  const line = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${messages}`)));
  });
  return { child, line, startMs: performance.now() - began };
}

const isAlive = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (!isAlive(child)) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill(signal);
  await closed;
}

const ECHO = `
import { createServer } from 'node:http';
const server = createServer((request, response) => {
  if (request.method === 'GET') return answer(response, { data: 'x'.repeat(Number(request.url.slice('/?bytes='.length)) - 11) });
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => { text += chunk; });
  request.on('end', () => answer(response, JSON.parse(text)));
});
function answer(response, value) {
  const body = JSON.stringify(value);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

/**
 * Starts the baseline, a JSON server on bare node:http. It responds to a POST with the body it received, and to
 * `GET /?bytes=N` with N bytes of JSON.
 */
export async function startEcho() {
  const { child, line } = await start(['--input-type=module', '-e', ECHO]);
  return { port: Number(line), stop: () => stop(child) };
}

/** The built emulator, as a user starts it. @param node flags of Node.js */
export async function startEmulatorProcess(
  dataDir: string,
  flags: string[] = [],
  node: string[] = [],
): Promise<EmulatorServer> {
  const args = ['emulator', 'start', '--port', '0', '--no-rate-limit', '--json', '--data-dir', dataDir];
  const { child, line, startMs } = await start([...node, EXECUTABLE, ...args, ...flags]);
  const ready = JSON.parse(line) as { base_url: string; tenant_id: string; keys: EmulatorServer['keys'] };
  const state = JSON.parse(await readFile(`${dataDir}/state.json`, 'utf8')) as { control_token: string };
  return {
    url: ready.base_url,
    port: Number(new URL(ready.base_url).port),
    pid: child.pid ?? 0,
    startMs,
    tenantId: ready.tenant_id,
    keys: ready.keys,
    controlToken: state.control_token,
    isAlive: () => isAlive(child),
    stop: (signal) => stop(child, signal),
  };
}

/** Creates a directory that is removed at the end. */
export async function withDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-bench-'));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Starts the built emulator on `data` in a directory of its own, and stops it at the end. @param flags of the emulator */
export function withEmulator<T>(
  flags: string[],
  use: (emulator: EmulatorServer, directory: string) => Promise<T>,
): Promise<T> {
  return withDirectory(async (directory) => {
    const emulator = await startEmulatorProcess(join(directory, 'data'), flags);
    return use(emulator, directory).finally(() => emulator.stop());
  });
}

/** The same, driven as tests drive it. */
export function withTestEmulator<T>(
  flags: string[],
  use: (emulator: TestEmulator, server: EmulatorServer, directory: string) => Promise<T>,
): Promise<T> {
  return withEmulator(flags, async (server, directory) => {
    const emulator = await connectEmulator(server);
    return use(emulator, server, directory).finally(() => emulator.close());
  });
}

/** Memory of a process in megabytes, resident now or at most: `VmRSS`, `VmHWM`. Linux only. */
export async function megabytesOf(pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}
