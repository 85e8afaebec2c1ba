import { expect, test } from 'vitest';
import { loadEngine } from '../../../../emulator/sandbox/pool/built-files.js';
import { createEngine } from '../../../../emulator/sandbox/quickjs-runtime/engine.js';
import { restoreImage } from '../../../../emulator/sandbox/quickjs-runtime/memory-image.js';
import { returned, testSandbox } from '../../../support/sandbox.js';

const startedAt = performance.now();
const sandbox = testSandbox();
const inThreeInstances = (code: string) =>
  Promise.all(['1', '2', '3'].map((reactorId) => returned(sandbox, code, { reactorId })));

test('instances of one image draw different random numbers', async () => {
  const drawn = await inThreeInstances('module.exports = () => ({ raw: [Math.random(), Math.random()] })');
  const numbers = drawn.flatMap((value) => (value as { raw: number[] }).raw);
  expect(new Set(numbers).size).toBe(6);
});

test('the clocks of an instance start with it, not with the image', async () => {
  const code = 'module.exports = () => ({ raw: [performance.now() / 1000, process.uptime()] })';
  for (const value of await inThreeInstances(code)) {
    for (const seconds of (value as { raw: number[] }).raw) {
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThan((performance.now() - startedAt) / 1000);
    }
  }
});

test('an image of another engine is refused', async () => {
  const { wasmModule, image } = await loadEngine();
  const { context, memory } = await createEngine(wasmModule, 32 * 1024 ** 2);
  const target = { memory, host: context.newObject(), api: context.newObject() };
  const before = new Uint8Array(memory.buffer.slice(0));
  expect(() => restoreImage(target, image)).toThrow('The memory image was built for another engine.');
  expect(Buffer.compare(before, new Uint8Array(memory.buffer))).toBe(0);
});
