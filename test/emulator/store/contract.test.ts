import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStore } from '../../../emulator/store/open-store.js';
import { describeStore } from './contract.js';

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-store-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return join(directory, 'data');
}

const logger = { warn: () => {} };

describeStore('memory', () => openStore({ memory: true }));
describeStore('journal', async () => openStore({ dataDir: await temporaryDirectory(), logger }));
describeStore('journal, encrypted', async () =>
  openStore({ dataDir: await temporaryDirectory(), logger, dataKey: async () => Buffer.alloc(32, 7) }),
);
