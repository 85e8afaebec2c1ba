import type { QuickJSContext } from 'quickjs-emscripten-core';
import type { InstanceFields } from './memory-image.js';

/** Finds the fields of an engine's memory that must not be the same in every instance of an image. */
export function findInstanceFields(context: QuickJSContext, memory: WebAssembly.Memory): InstanceFields {
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
