import { readFileSync, writeFileSync } from 'node:fs';
import { DEFAULT_LIMITS } from '../limits.js';
import { findInstanceFields } from './instance-fields.js';
import { captureImage } from './memory-image.js';
import { bootPrelude } from './prelude.js';
import { QuickJsGuest } from './quickjs-guest.js';

// Run by .config/build-sandbox.js: node build-image.cjs WASM PRELUDE IMAGE

/** @returns the image of an engine in which the prelude was booted */
async function buildImage(wasm: Uint8Array, preludeSource: string): Promise<Uint8Array> {
  let image: Uint8Array | undefined;
  await QuickJsGuest.create(new WebAssembly.Module(wasm), { limits: DEFAULT_LIMITS }, (target, context) => {
    const before = new Uint8Array(target.memory.buffer.slice(0));
    bootPrelude(context, preludeSource, target);
    image = captureImage(target, before, findInstanceFields(context, target.memory));
  });
  if (!image) throw new Error('The engine was not initialized.');
  return image;
}

async function main([wasmFile = '', preludeFile = '', imageFile = '']: string[]): Promise<void> {
  const image = await buildImage(readFileSync(wasmFile), readFileSync(preludeFile, 'utf8'));
  writeFileSync(imageFile, image);
}

void main(process.argv.slice(2));
