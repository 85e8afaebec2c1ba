import { expect, test, vi } from 'vitest';
import { renameFile } from '../../src/contract/files.js';

const failure = (code: string) => Object.assign(new Error(code), { code });

/** Fails with each of the codes in turn, then succeeds. */
function renameAfter(...codes: string[]) {
  return vi.fn((_from: unknown, _to: unknown) => {
    const code = codes.shift();
    if (code !== undefined) throw failure(code);
  });
}

test('on Windows, a rename is repeated while another program has one of the files open', async () => {
  const rename = renameAfter('EPERM', 'EBUSY', 'EACCES');
  await renameFile('a', 'b', { platform: 'win32', rename });
  expect(rename.mock.calls).toEqual(Array(4).fill(['a', 'b']));
});

test.each([
  ['a rename that fails for another reason is not repeated', 'win32', 'ENOENT'],
  ['on systems that replace open files, a refused rename is not repeated', 'linux', 'EPERM'],
] as const)('%s', async (_, platform, code) => {
  const rename = renameAfter(code);
  await expect(renameFile('a', 'b', { platform, rename })).rejects.toThrow(code);
  expect(rename).toHaveBeenCalledTimes(1);
});
