import { onTestFinished } from 'vitest';
import { COLLECTIONS } from '../../emulator/store/collections.js';

/** Lets stores that this process opens from the sources keep other entries of the audit log, until the test ends. */
export function retainLog(retention: number): void {
  const { retention: usual } = COLLECTIONS.log;
  COLLECTIONS.log.retention = retention;
  onTestFinished(() => {
    if (usual !== undefined) COLLECTIONS.log.retention = usual;
  });
}
