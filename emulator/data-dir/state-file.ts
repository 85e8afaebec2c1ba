import { join } from 'node:path';
import { parseStateFile, type StateFile } from '../../src/contract/control/state-file.js';
import { readJsonFile, writeJsonFile } from '../store/files/atomic-file.js';
import { nodeFileSystem } from '../store/files/file-system.js';

const pathIn = (dataDir: string) => join(dataDir, 'state.json');

/**
 * Reads the state file of a data directory.
 * @returns undefined when there is none or it is not valid; the emulator then writes a new one from its data.
 */
export async function readState(dataDir: string): Promise<StateFile | undefined> {
  const content = await readJsonFile(nodeFileSystem, pathIn(dataDir)).catch(() => undefined);
  return content === undefined ? undefined : parseStateFile(content);
}

export function writeState(dataDir: string, state: StateFile): Promise<void> {
  return writeJsonFile(nodeFileSystem, pathIn(dataDir), state);
}
