import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findManifest } from '../../../../src/cli/manifest/manifest.js';
import { selectReactors } from '../../../../src/cli/reactors/project/selection.js';
import { projectDir } from '../../../support/executable.js';

const FILES = {
  'tokenctl.json': '{"reactors":[{"name":"pay","code":"src/charge.ts"}]}',
  'src/charge.ts': '',
  'other.js': '',
};

async function select(files: string[], cwd: string) {
  return selectReactors(files, cwd, await findManifest(cwd));
}

test('a file that the manifest lists has its name from there; another one is not in the manifest', async () => {
  const selected = await select(['src/charge.ts', 'other.js'], await projectDir(FILES));
  expect(selected).toMatchObject([
    { name: 'pay', inManifest: true },
    { name: 'other', inManifest: false },
  ]);
});

test('the manifest is found from a directory below it', async () => {
  const directory = await projectDir(FILES);
  expect(await select(['charge.ts'], join(directory, 'src'))).toMatchObject([{ name: 'pay' }]);
});

test('without files and manifest, the error names both', async () => {
  await expect(select([], await projectDir({}))).rejects.toThrow(
    'There is no tokenctl.json or tokenctl.yaml in this directory or above.',
  );
});

test('two files with the same reactor name are rejected', async () => {
  await expect(select(['a.js', 'b/a.ts'], await projectDir({}))).rejects.toThrow('more than once');
});
