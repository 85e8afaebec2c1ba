import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { packageFile } from '../../../src/contract/files.js';
import type { EngineFiles } from '../protocol.js';

// Built by .config/build-sandbox.ts; the paths are the same when running from the sources and from the installed package.

export const workerScriptPath = (): string => packageFile('#sandbox-worker');

let engine: Promise<EngineFiles> | undefined;

export function loadEngine(): Promise<EngineFiles> {
  engine ??= readEngine(dirname(workerScriptPath()));
  return engine;
}

async function readEngine(directory: string): Promise<EngineFiles> {
  const compiled = readFile(join(directory, 'sandbox-engine.wasm')).then((bytes) =>
    WebAssembly.compile(bytes),
  );
  const compressed = await readFile(join(directory, 'sandbox-image.gz'));
  // In one piece, whose size gzip writes last, because many small ones take twice the processor time.
  const size = compressed.readUInt32LE(compressed.length - 4);
  const bytes = await promisify(gunzip)(compressed, { chunkSize: size + 1 });
  const image = new Uint8Array(new SharedArrayBuffer(bytes.length));
  image.set(bytes);
  return { wasmModule: await compiled, image };
}
