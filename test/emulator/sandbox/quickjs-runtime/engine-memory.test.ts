import { expect, test } from 'vitest';
import { releaseMemory, takeMemory } from '../../../../emulator/sandbox/quickjs-runtime/engine.js';

const MAXIMUM = 32 * 1024 ** 2;

/** Addresses of the first and last byte, and of some around the borders of pages. */
const addressesIn = ({ buffer }: WebAssembly.Memory): number[] => [
  ...[0, 65_535, 65_536, 5_400_000],
  buffer.byteLength - 1,
];

test('a memory that is used again holds nothing of its last engine', () => {
  const memory = takeMemory(MAXIMUM);
  for (const address of addressesIn(memory)) new Uint8Array(memory.buffer)[address] = 0xff;
  releaseMemory(memory);
  const again = takeMemory(MAXIMUM);
  expect(again).toBe(memory);
  expect(new Uint8Array(again.buffer).some(Boolean)).toBe(false);
});

test('a memory that is in use is not given to a second engine', () => {
  const memory = takeMemory(MAXIMUM);
  releaseMemory(memory);
  expect(takeMemory(MAXIMUM)).toBe(memory);
  expect(takeMemory(MAXIMUM)).not.toBe(memory);
});

test('a memory that has grown is not used again', () => {
  const memory = takeMemory(MAXIMUM);
  const grown = { buffer: new ArrayBuffer(memory.buffer.byteLength + 65_536) };
  releaseMemory(grown);
  expect(takeMemory(MAXIMUM)).not.toBe(grown);
});
