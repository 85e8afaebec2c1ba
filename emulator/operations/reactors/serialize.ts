import type { Reactor } from '../../../src/contract/schemas/index.js';
import type { ReactorRecord, Stored } from '../../store/records.js';

/** Serializes a reactor for a response. */
export function serializeReactor(record: ReactorRecord | Stored<ReactorRecord>): Reactor {
  const { id, tenant_id, name, code, configuration, application, ...authorship } = record;
  const { created_by, created_at, modified_by, modified_at } = authorship;
  return {
    id,
    tenant_id,
    name,
    code,
    configuration,
    ...(application && { application }),
    ...(created_by !== undefined && { created_by }),
    created_at,
    ...(modified_by !== undefined && { modified_by }),
    ...(modified_at !== undefined && { modified_at }),
  };
}
