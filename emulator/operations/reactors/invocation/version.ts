import { createHash } from 'node:crypto';
import type { ReactorCode } from '../../../sandbox/invocation.js';
import type { ReactorRecord } from '../../../store/records.js';

/** Records that come out of the store are shared, so that one look at the code serves many invocations. */
const known = new WeakMap<ReactorRecord, ReactorCode>();

/**
 * The reactor as the sandbox knows it. The version is a hash of code and configuration, not the record's revision: a
 * restored snapshot brings back old revisions of another code.
 */
export function codeOf(record: ReactorRecord): ReactorCode {
  const found = known.get(record);
  if (found) return found;
  const { id, code, configuration } = record;
  const version = createHash('sha256')
    .update(JSON.stringify([code, configuration]))
    .digest('base64url');
  const made = { reactorId: id, version, code };
  known.set(record, made);
  return made;
}
