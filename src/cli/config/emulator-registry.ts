import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectories } from '../../contract/files.js';
import { jsonOf } from '../../contract/json.js';
import { writeFileAtomically } from '../lib/atomic-write.js';
import type { Settings } from './settings.js';
import { type RunningState, readRunningState } from './state-file.js';

const OWNER_ONLY = 0o700;

const directoryOf = ({ configDir }: Pick<Settings, 'configDir'>): string => join(configDir, 'emulators');

/** Remembers where an emulator runs, without keys and tokens. Returns a function that forgets it. */
export async function registerEmulator(settings: Settings, dataDir: string): Promise<() => Promise<void>> {
  makeDirectories(directoryOf(settings), OWNER_ONLY);
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const content = `${JSON.stringify({ data_dir: dataDir })}\n`;
  const path = join(directoryOf(settings), `${name}.json`);
  await writeFileAtomically(path, content, { replaceLink: true });
  return () => rm(path, { force: true }).catch(() => undefined);
}

/** Reads the state of every emulator that runs, and forgets those that do not. */
export async function listRunning(settings: Settings): Promise<RunningState[]> {
  const directory = directoryOf(settings);
  const names = await readdir(directory).catch(() => []);
  const states = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => {
        const path = join(directory, name);
        const state = await stateOf(path).catch(() => undefined);
        if (!state) await rm(path, { force: true }).catch(() => undefined);
        return state;
      }),
  );
  return states.filter((state) => state !== undefined);
}

async function stateOf(path: string): Promise<RunningState | undefined> {
  const { data_dir } = (jsonOf(await readFile(path, 'utf8')) ?? {}) as { data_dir?: unknown };
  return typeof data_dir === 'string' ? readRunningState({ cwd: data_dir, dataDir: data_dir }) : undefined;
}
