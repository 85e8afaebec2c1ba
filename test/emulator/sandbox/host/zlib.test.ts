import { expect, test } from 'vitest';
import { returned, testSandbox } from '../../../support/sandbox.js';

const sandbox = testSandbox();

const failure = (call: string) =>
  returned(
    sandbox,
    `module.exports = async () => {
       const zlib = require('zlib');
       try { return (${call}).length } catch (e) { return [e.name, e.code ?? e.message] }
     };`,
  );

test('a decompression bomb ends at the limit of the output', async () => {
  expect(
    await failure(`zlib.gunzipSync(Buffer.concat(Array(5).fill(zlib.gzipSync(Buffer.alloc(15 * 2 ** 20)))))`),
  ).toEqual(['RangeError', 'ERR_BUFFER_TOO_LARGE']);
});

test.each([
  ['zlib.deflateSync(Buffer.alloc(2 ** 24 + 1))', 'ERR_OUT_OF_RANGE'],
  ['zlib.brotliCompressSync(Buffer.alloc(2 ** 19 + 1))', 'ERR_OUT_OF_RANGE'],
])('input that would take long is refused: %s', async (call, code) => {
  expect(await failure(call)).toEqual(['RangeError', code]);
});

test('a low quality of Brotli takes more', async () => {
  const params = '{ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }';
  expect(await failure(`zlib.brotliCompressSync(Buffer.alloc(2 ** 20), ${params})`)).toEqual(
    expect.any(Number),
  );
});
