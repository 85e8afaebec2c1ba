import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { directoryProbe } from '../../../emulator/data-dir/open-directory.js';
import { Presence } from '../../../emulator/store/files/presence.js';
import { open, temporaryDataDir } from '../../support/data-dir.js';
import { insert, TENANT, token } from './contract.js';

it.each([
  ['the data directory is moved', (dataDir: string) => rename(dataDir, `${dataDir}.moved`)],
  ['the journal is removed', (dataDir: string) => rm(join(dataDir, 'journal'), { recursive: true })],
  ['the store header is removed', (dataDir: string) => rm(join(dataDir, 'store.json'))],
  [
    'the journal is replaced by a copy',
    async (dataDir: string) => {
      await rename(join(dataDir, 'journal'), `${dataDir}.moved`);
      await cp(`${dataDir}.moved`, join(dataDir, 'journal'), { recursive: true });
    },
  ],
])('when %s, writes are refused and health says so, and reads go on', async (_, remove) => {
  const dataDir = await temporaryDataDir();
  const presence = new Presence();
  const probe = directoryProbe(dataDir, presence);
  const store = await open(dataDir, { presence });
  await insert(store, token('a'));
  expect(await probe()).toMatchObject({ kind: 'disk', state: 'ok' });
  await remove(dataDir);
  expect(await probe()).toMatchObject({ kind: 'disk', state: 'unavailable' });
  let written = 0;
  const write = () => {
    written += 1;
    return insert(store, token(`b${written}`)).then(
      () => 'stored',
      (error: Error) => error.name,
    );
  };
  await expect.poll(write).toBe('StorageError');
  expect(await store.get('tokens', TENANT, 'a')).toMatchObject({ id: 'a' });
});
