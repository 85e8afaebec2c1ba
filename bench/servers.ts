import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { connectEmulator, type TestEmulator } from '../src/testing/index.js';
import { type ReadyProcess, startEmulatorProcess as startProcess } from '../test/support/executable.js';

export interface EmulatorServer extends ReadyProcess {
  url: string;
  /** Milliseconds from the start of the process until it accepted requests. */
  startMs: number;
  tenantId: string;
  controlToken: string;
}

const ends: (() => unknown)[] = [];

/** Ends or removes what a benchmark has started or created, when the benchmark is over. The last one is the first to go. */
export const atEnd = (end: () => unknown): void => void ends.unshift(end);

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0)) await end();
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
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));
`;

/**
 * Starts the baseline, a JSON server on bare node:http. It responds to a POST with the body it received, and to
 * `GET /?bytes=N` with N bytes of JSON. @returns its URL
 */
export async function startEcho(): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', ECHO]);
  atEnd(() => child.kill());
  const [url] = (await once(child.stdout, 'data')) as [Buffer];
  return String(url).trim();
}

export async function createDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-bench-'));
  atEnd(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Of the databases; a data directory has none. */
const DATA_KEY = randomBytes(32).toString('base64');

/**
 * Starts the built emulator, as a user starts it.
 * @param dataDir in a directory without a project; by default a new one @param node flags of Node.js
 */
export async function startEmulator(
  flags: readonly string[] = [],
  dataDir?: string,
  node = '',
): Promise<EmulatorServer> {
  const data = dataDir ?? join(await createDirectory(), 'data');
  const env = { TOKENCTL_DATA_KEY: DATA_KEY, NODE_OPTIONS: node };
  const command = ['--no-rate-limit', '--data-dir', data, ...flags];
  const began = performance.now();
  const ready = await startProcess(command, { cwd: dirname(data), env });
  const startMs = performance.now() - began;
  atEnd(() => ready.end());
  const state = JSON.parse(await readFile(join(data, 'state.json'), 'utf8')) as Record<string, string>;
  const { tenant_id: tenantId = '', control_token: controlToken = '' } = state;
  return { ...ready, url: ready.base_url, startMs, tenantId, controlToken };
}

/** Drives an emulator as tests do. */
export async function connect(server: EmulatorServer): Promise<TestEmulator> {
  const emulator = await connectEmulator(server);
  atEnd(() => emulator.close());
  return emulator;
}
