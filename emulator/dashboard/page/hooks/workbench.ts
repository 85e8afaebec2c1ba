import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ServiceClient } from '../api/client.js';

export interface TenantName {
  id: string;
  name: string;
}

/** What a change of the emulator is about, when several tenants share it. */
export type Scope = 'tenant' | 'emulator';

/** What every view works with. */
export interface Workbench {
  tenant: TenantName;
  /** Absent when the keys of the tenant are not known: it was not created by this emulator. */
  service: ServiceClient | undefined;
  /** Several tenants share the emulator. */
  isShared: boolean;
  /** The tenant that clock, faults, snapshots and reset are about; undefined for the whole emulator. */
  scope: string | undefined;
  setScope: (scope: Scope) => void;
  /** Counts how often the connection to the emulator was opened. Data of an earlier one may be outdated. */
  connection: number;
  /**
   * Runs what the user asked for. A failure is shown until the next action.
   * @param success is shown when it is done
   */
  attempt: (action: () => unknown, success?: string) => Promise<void>;
}

export const WorkbenchContext = createContext<Workbench | undefined>(undefined);

export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext);
  if (!workbench) throw new Error('The workbench is not open.');
  return workbench;
}

/** Returns the client of the service. Views that use it are shown only if the keys of the tenant are known. */
export function useService(): ServiceClient {
  const { service } = useWorkbench();
  if (!service) throw new Error('The keys of this tenant are not known.');
  return service;
}
