import { dirname } from 'node:path';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import type { Manifest } from '../../manifest/manifest.js';
import type { LockedVersion } from '../../tenant-config/lock/lock-content.js';
import { readCode } from '../../tenant-config/lock/version-code.js';
import { declareVersion } from '../../tenant-config/plan/declare-version.js';
import { applyDeclared } from '../shared/tenant-config/apply.js';
import { configurationSources, type ProjectFlags } from './shared/project-flags.js';
import { findRecordedReactor } from './shared/recorded-reactor.js';

interface RollbackFlags extends Pick<ProjectFlags, 'config' | 'envFile' | 'allowCommand'> {
  reactor: string;
  to?: number | undefined;
}

/** Returns the version to restore: the one asked for, else the last that differs from the current one. */
function chooseVersion(versions: readonly LockedVersion[], to: number | undefined): LockedVersion {
  const current = versions.at(-1);
  const found =
    to === undefined
      ? versions.findLast(({ hash }) => hash !== current?.hash)
      : versions.find(({ number }) => number === to);
  if (found) return found;
  const known = versions.map(({ number }) => number).join(', ');
  throw usageError(
    to === undefined ? 'There is no earlier version.' : `There is no version ${to}.`,
    `Recorded versions: ${known}. See: tokenctl reactor history`,
  );
}

/** Returns a version with the name that its application has now, if the manifest renamed it since. */
function withCurrentApplication(version: LockedVersion, { content }: Manifest): LockedVersion {
  const { application } = version;
  const renamed = content.applications?.find((one) => one.previous_name === application);
  return renamed && application !== null ? { ...version, application: renamed.name } : version;
}

export async function run({ reactor, to, ...flags }: RollbackFlags, context: Context): Promise<void> {
  const { manifest, tenant, lock, object, versions } = await findRecordedReactor(reactor, context);
  const version = withCurrentApplication(chooseVersion(versions, to), manifest);
  const code = await readCode(lock.path, version.hash);
  const entry = manifest.reactors.find(({ name }) => name === object.name);
  const sources = { ...configurationSources(flags, context), directory: dirname(manifest.path) };
  const declared = await declareVersion({ object, version, code, entry }, sources);
  await applyDeclared([declared], { manifest, lock, tenant }, context);
  context.output.notice(
    'The files of the project still have the later version; the next deploy applies them again.',
  );
}
