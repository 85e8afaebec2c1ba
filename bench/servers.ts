import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connectEmulator, type TestEmulator } from '../src/testing/index.js';
import { startEmulatorProcess as startProcess } from '../test/support/executable.js';

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
  /** @param signal default SIGINT */
  stop(signal?: NodeJS.Signals): Promise<unknown>;
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
  const child = spawn(process.execPath, ['--input-type=module', '-e', ECHO]);
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(port), stop: () => child.kill() };
}

/** Of the databases; a data directory has none. */
const DATA_KEY = randomBytes(32).toString('base64');

/** The built emulator, as a user starts it. @param dataDir in a directory without a project @param node flags of Node.js */
export async function startEmulatorProcess(
  dataDir: string,
  flags: readonly string[] = [],
  node = '',
): Promise<EmulatorServer> {
  const env = { TOKENCTL_DATA_KEY: DATA_KEY, NODE_OPTIONS: node };
  const command = ['--no-rate-limit', '--data-dir', dataDir, ...flags];
  const began = performance.now();
  const ready = await startProcess(command, { cwd: dirname(dataDir), env });
  const startMs = performance.now() - began;
  const { base_url: url, child, pid, keys, end: stop } = ready;
  const state = JSON.parse(await readFile(join(dataDir, 'state.json'), 'utf8')) as Record<string, string>;
  const { tenant_id: tenantId = '', control_token: controlToken = '' } = state;
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return { url, port: Number(new URL(url).port), pid, startMs, tenantId, keys, controlToken, isAlive, stop };
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
  flags: readonly string[],
  use: (emulator: EmulatorServer, directory: string) => Promise<T>,
  node?: string,
): Promise<T> {
  return withDirectory(async (directory) => {
    const emulator = await startEmulatorProcess(join(directory, 'data'), flags, node);
    return use(emulator, directory).finally(() => emulator.stop());
  });
}

/** The same, driven as tests drive it. */
export function withTestEmulator<T>(
  flags: readonly string[],
  use: (emulator: TestEmulator, server: EmulatorServer, directory: string) => Promise<T>,
  node?: string,
): Promise<T> {
  const connect = async (server: EmulatorServer, directory: string) => {
    const emulator = await connectEmulator(server);
    return use(emulator, server, directory).finally(() => emulator.close());
  };
  return withEmulator(flags, connect, node);
}
