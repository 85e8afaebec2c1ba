import { readFileSync, writeFileSync } from 'node:fs';
import { DEFAULT_LIMITS } from '../limits.js';
import { captureImage, type PreludeTarget } from './memory-image.js';
import { bootPrelude } from './prelude.js';
import { QuickJsGuest } from './quickjs-guest.js';

// Run by .config/build-sandbox.ts: node build-image.cjs WASM PRELUDE IMAGE

const copyMemory = ({ memory }: PreludeTarget): Uint8Array => new Uint8Array(memory.buffer.slice(0));

async function main([wasmFile = '', preludeFile = '', imageFile = '']: string[]): Promise<void> {
  const wasmModule = new WebAssembly.Module(readFileSync(wasmFile));
  const prelude = readFileSync(preludeFile, 'utf8');
  /** Creates an engine whose prelude was booted. */
  const create = (use: (target: PreludeTarget, before: Uint8Array) => void) =>
    QuickJsGuest.create(wasmModule, { limits: DEFAULT_LIMITS }, (target, context) => {
      const before = copyMemory(target);
      bootPrelude(context, prelude, target);
      use(target, before);
    });
  let other: Uint8Array = new Uint8Array();
  await create((target) => {
    other = copyMemory(target);
  });
  await create((target, before) => writeFileSync(imageFile, captureImage(target, before, other)));
}

void main(process.argv.slice(2));
