import { join } from 'node:path';
import type { Credentials } from '../services/tenants/seed-tenant.js';
import { DurableJsonFile } from '../store/files/durable-json-file.js';
import { nodeFileSystem } from '../store/files/file-system.js';

/** Where an emulator that listens is to be found. */
export interface Address {
  base_url: string;
  dashboard_url: string;
  pid: number;
  /** Absent: the default. */
  header_prefix?: string;
}

/** What `emulator start` says when it accepts requests; cli.md. */
export interface ReadyInfo extends Credentials, Address {
  /** Absolute; null with no data directory. */
  data_dir: string | null;
}

/**
 * `<data-dir>/state.json`, mode 0600: how the commands find an emulator and its keys. The address is there while it runs;
 * the first tenant's credentials stand at the top, and are absent when the last tenant was deleted.
 */
export interface State extends Partial<Credentials>, Partial<Address> {
  data_dir: string;
  /** Bearer token of the control endpoints. */
  control_token: string;
  /** Every tenant that the emulator made, the first one included. */
  tenants: readonly Credentials[];
}

function stateFile(dataDir: string): DurableJsonFile<State> {
  return new DurableJsonFile(nodeFileSystem, join(dataDir, 'state.json'));
}

/** @returns undefined when there is none, or it cannot be understood: it is made anew from the data. */
export async function readState(dataDir: string): Promise<State | undefined> {
  const state: Partial<State> | null = await stateFile(dataDir)
    .read()
    .catch(() => null);
  const whole = Array.isArray(state?.tenants) && typeof state.control_token === 'string';
  return whole ? (state as State) : undefined;
}

export function writeState(dataDir: string, state: State): Promise<void> {
  return stateFile(dataDir).write(state);
}
