// Runs a reactor in a thread of the sandbox, so that the code cache covers it. A thread of an emulator is terminated, and stores
// nothing at its end.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** Until the thread has created the engine of its next start. */
const STANDBY_MS = 500;

/** Those that the thread needs. */
const LIMITS = {
  memoryBytes: 128 * 1024 ** 2,
  outputBytes: 1_000,
  concurrentFetches: 1,
  concurrentSvcCalls: 1,
};

/** @param {string} name relative to dist/ */
const pathOf = (name) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));

const THREAD = `require(${JSON.stringify(pathOf('sandbox-worker.cjs'))});
require('node:worker_threads').parentPort.on('message', ({ type }) => { if (type === 'exit') process.exit(); });`;

const wasmModule = await WebAssembly.compile(await readFile(pathOf('sandbox-engine.wasm')));
const image = new Uint8Array(await readFile(pathOf('sandbox-image.bin')));
const run = {
  type: 'run',
  source: { code: 'module.exports = async (req) => ({ raw: req.args })', fileName: 'reactor.js' },
  request: { args: '{}', configuration: '{}', hasSvc: false },
  timeoutMs: 60_000,
  clockOffsetMs: 0,
};

const worker = new Worker(THREAD, {
  eval: true,
  workerData: { runtime: 'quickjs', limits: LIMITS },
  resourceLimits: { stackSizeMb: 32 },
});
for (let start = 0; start < 2; start++) {
  for (const message of [{ type: 'start', engine: { wasmModule, image } }, run]) {
    worker.postMessage(message);
    const [{ result }] = await once(worker, 'message');
    if (message === run && result?.kind !== 'returned')
      throw new Error(`The reactor ${JSON.stringify(result)}.`);
  }
  await sleep(STANDBY_MS);
}
worker.postMessage({ type: 'exit' });
await once(worker, 'exit');
