import type { Context } from '../../../command.js';
import { CliError, usageError } from '../../../lib/errors.js';
import { findManifest, type Manifest } from '../../../manifest/manifest.js';
import type { LockedObject, LockedVersion } from '../../../tenant-config/lock/lock-content.js';
import type { LockFile } from '../../../tenant-config/lock/lock-file.js';
import type { TenantIdentity } from '../../../tenant-config/tenant-identity.js';
import { openLock } from '../../shared/tenant-config/make-plan.js';
import { identifyTarget } from '../../shared/tenant-config/service-identity.js';

/** A reactor in the lock file, with its versions, oldest first. */
interface RecordedReactor {
  manifest: Manifest;
  tenant: TenantIdentity;
  lock: LockFile;
  object: LockedObject;
  versions: readonly LockedVersion[];
}

/**
 * Finds a reactor in the lock file by ID or name.
 * @throws {CliError} if there is no manifest, or no version of the reactor was recorded for the target
 */
export async function findRecordedReactor(idOrName: string, context: Context): Promise<RecordedReactor> {
  const { cwd, environment } = context.settings;
  const manifest = await findManifest(cwd, environment);
  if (!manifest)
    throw usageError(
      'There is no tokenctl.json or tokenctl.yaml in this directory or above; versions are recorded next to it.',
    );
  const target = await identifyTarget(manifest, context);
  const lock = await openLock(manifest, target, {}, context);
  const object = lock?.objects.find(
    ({ kind, id, name }) => kind === 'reactor' && (id === idOrName || name === idOrName),
  );
  if (lock && object?.versions)
    return { manifest, tenant: target.tenant, lock, object, versions: object.versions };
  const { url } = (await context.client.connection()).transport;
  throw new CliError('not_found', `No version of ${JSON.stringify(idOrName)} is recorded for ${url}.`, {
    hint: 'Versions are recorded when the manifest is applied: tokenctl reactor deploy',
  });
}
