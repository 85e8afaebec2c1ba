import { join } from 'node:path';
import { parseStateFile, type StateFile } from '../../src/contract/control/state-file.js';
import { DurableJsonFile } from '../store/files/durable-json-file.js';
import { nodeFileSystem } from '../store/files/file-system.js';

function stateFile(dataDir: string): DurableJsonFile<StateFile> {
  return new DurableJsonFile(nodeFileSystem, join(dataDir, 'state.json'));
}

/**
 * Reads the state file of a data directory.
 * @returns undefined when there is none or it is not valid; the emulator then writes a new one from its data.
 */
export async function readState(dataDir: string): Promise<StateFile | undefined> {
  const content = await stateFile(dataDir)
    .read()
    .catch(() => undefined);
  return parseStateFile(content);
}

export function writeState(dataDir: string, state: StateFile): Promise<void> {
  return stateFile(dataDir).write(state);
}
