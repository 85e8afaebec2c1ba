import type { Application } from '../../../src/contract/schemas/index.js';
import type { ApplicationRecord, Stored } from '../../store/records.js';

/** Serializes an application for a response, without the hashes of its keys. */
export function serializeApplication(record: ApplicationRecord | Stored<ApplicationRecord>): Application {
  const { key_hash: _hash, keys: _keys, ...application } = record;
  if ('revision' in application) delete (application as { revision?: number }).revision;
  return application;
}
