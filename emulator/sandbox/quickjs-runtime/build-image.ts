import { readFileSync, writeFileSync } from 'node:fs';
import type { QuickJSContext } from 'quickjs-emscripten-core';
import { DEFAULT_LIMITS } from '../limits.js';
import { captureImage, type InstanceFields } from './memory-image.js';
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

/** Finds the fields of an engine's memory that must not be the same in every instance of an image. */
function findInstanceFields(context: QuickJSContext, memory: WebAssembly.Memory): InstanceFields {
  const origin = evaluateNumber(context, 'performance.timeOrigin');
  const before = new BigUint64Array(memory.buffer.slice(0));
  evaluateNumber(context, 'Math.random()');
  const after = new BigUint64Array(memory.buffer);
  const randomAddresses = addressesWhere(
    after,
    (value, index) => value === nextRandomState(before[index] ?? 0n),
  );
  const [randomAddress] = randomAddresses;
  if (randomAddress === undefined || randomAddresses.length > 1)
    throw new Error('The state of Math.random was not found in the memory of the engine.');
  const floats = new Float64Array(memory.buffer);
  const originAddresses = addressesWhere(floats, (value) => value === origin);
  if (originAddresses.length === 0)
    throw new Error('The time origin was not found in the memory of the engine.');
  return { randomAddress, originAddresses };
}

const evaluateNumber = (context: QuickJSContext, code: string): number =>
  context.unwrapResult(context.evalCode(code)).consume((handle) => context.getNumber(handle));

/** The generator of QuickJS is xorshift64*. Its state is never zero. */
function nextRandomState(state: bigint): bigint | undefined {
  if (state === 0n) return undefined;
  let next = state;
  next ^= next >> 12n;
  next ^= BigInt.asUintN(64, next << 25n);
  next ^= next >> 27n;
  return next;
}

function addressesWhere<T>(
  values: Iterable<T> & { length: number; BYTES_PER_ELEMENT: number },
  matches: (value: T, index: number) => boolean,
): number[] {
  const addresses: number[] = [];
  let index = 0;
  for (const value of values) {
    if (matches(value, index)) addresses.push(index * values.BYTES_PER_ELEMENT);
    index++;
  }
  return addresses;
}
