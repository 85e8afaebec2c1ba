import { createHash } from 'node:crypto';
import type { ReactorCode } from '../../../sandbox/invocation.js';
import type { ReactorRecord } from '../../../store/records.js';

/**
 * Returns the code of a reactor under the version that the sandbox caches it by. The version is a hash of code and
 * configuration, not the record's revision, because a restored snapshot can bring back an old revision with other code.
 */
export function versionedCode({ id, code, configuration }: ReactorRecord): ReactorCode {
  const version = createHash('sha256')
    .update(JSON.stringify([code, configuration]))
    .digest('base64url');
  return { reactorId: id, version, code };
}
