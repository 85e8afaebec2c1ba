import { dirname } from 'node:path';
import type { Context } from '../../command.js';
import type { Options } from '../../flags/flag.js';
import type { ProjectFlags } from '../../flags/project-flags.js';
import { CliError, noProjectError, usageError } from '../../lib/errors.js';
import { findManifest, type Manifest, type ReactorEntry } from '../../manifest/manifest.js';
import { resolveReferences } from '../../manifest/references.js';
import { type Column, renderTable } from '../../output/table.js';
import { type ConfigurationSources, resolveConfiguration } from '../../reactors/project/configuration.js';
import { type Declared, succeeded } from '../../tenant-config/declaration/declare.js';
import type { LockedObject, LockedVersion } from '../../tenant-config/lock/lock-content.js';
import { type LockFile, readCode } from '../../tenant-config/lock/lock-file.js';
import { listNamed } from '../../tenant-config/resources/objects.js';
import type { TenantIdentity } from '../../tenant-config/tenant-identity.js';
import { configurationSources } from '../shared/project-options.js';
import { applyDeclared, withManifestLock } from '../shared/tenant-config/apply.js';
import { openLock } from '../shared/tenant-config/make-plan.js';
import { identifyTarget } from '../shared/tenant-config/service-identity.js';

interface RecordedReactor {
  manifest: Manifest;
  tenant: TenantIdentity;
  lock: LockFile;
  object: LockedObject;
  versions: readonly LockedVersion[];
}

async function findRecordedReactor(idOrName: string, context: Context): Promise<RecordedReactor> {
  const { cwd, environment } = context.settings;
  const manifest = await findManifest(cwd, environment);
  if (!manifest) throw noProjectError();
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

const SHOWN_HASH_CHARACTERS = 12;
const shorten = (text: unknown): string => String(text ?? '').replace(/^([\da-f]{12})[\da-f]+/, '$1');

const COLUMNS: readonly Column[] = [
  { title: 'VERSION', field: 'number', align: 'right', importance: 5 },
  { title: 'DEPLOYED', field: 'deployed_at', format: 'time', importance: 4 },
  { title: 'COMMIT', field: 'commit', show: shorten, min: SHOWN_HASH_CHARACTERS, importance: 3 },
  { title: 'HASH', field: 'hash', show: shorten, min: SHOWN_HASH_CHARACTERS, importance: 2 },
  { title: 'APPLICATION', field: 'application', show: (name) => String(name ?? ''), importance: 1 },
  { title: '', field: 'current', show: (current) => (current ? 'current' : '') },
];

export async function showHistory({ reactor }: { reactor: string }, context: Context): Promise<void> {
  const { object, versions, tenant } = await findRecordedReactor(reactor, context);
  const { name, id } = object;
  const last = versions.at(-1);
  const report = {
    version: 1,
    target: (await context.client.connection()).transport.url,
    tenant,
    name,
    id,
    // Newest first, with the names of the configuration only.
    versions: versions.toReversed().map(({ configuration, ...version }) => ({
      ...version,
      configuration: Object.keys(configuration),
      current: version.number === last?.number,
    })),
  };
  await context.output.result(report, {
    redaction: 'plain',
    render: ({ versions }: typeof report, style, width) => renderTable(versions, COLUMNS, style, width),
  });
}

type RollbackFlags = ProjectFlags & { reactor: string } & Options<'to', number>;

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
    `Recorded versions: ${known}.`,
  );
}

/** Returns a version with the name that its application has now, if the manifest renamed it since. */
function withCurrentApplication(version: LockedVersion, { content }: Manifest): LockedVersion {
  const { application } = version;
  const renamed = content.applications?.find((one) => one.previous_name === application);
  return renamed && application !== null ? { ...version, application: renamed.name } : version;
}

export function rollBack(flags: RollbackFlags, context: Context): Promise<void> {
  return withManifestLock(context.settings, () => restoreVersion(flags, context));
}

async function restoreVersion({ reactor, to, ...flags }: RollbackFlags, context: Context): Promise<void> {
  const { manifest, tenant, lock, object, versions } = await findRecordedReactor(reactor, context);
  const version = withCurrentApplication(chooseVersion(versions, to), manifest);
  const code = await readCode(lock.path, version.hash);
  const entry = manifest.reactors.find(({ name }) => name === object.name);
  const sources = { ...configurationSources(flags, context), directory: dirname(manifest.path) };
  // As the plan finds it: by its name.
  const [stored] = await listNamed(context.client, 'reactor', new Set([object.name]));
  const recorded = { object, version, code, entry, stored: stored?.content.configuration ?? {} };
  const declared = await declareVersion(recorded, sources);
  await applyDeclared([declared], { manifest, lock, tenant }, context);
  context.output.notice(
    'The files of the project still have the later version; the next deploy applies them again.',
  );
}

type Configuration = Readonly<Record<string, string>>;

interface RecordedVersion {
  object: LockedObject;
  version: LockedVersion;
  code: string;
  entry: ReactorEntry | undefined;
  stored: Configuration;
}

const listReferences = ({ configuration }: LockedVersion): Record<string, string> =>
  Object.fromEntries(
    Object.entries(configuration).filter((entry): entry is [string, string] => entry[1] !== null),
  );

/** Returns the value of each name that the version had: what is resolved again, else what the service has. */
async function resolveVersion(
  { object: { name }, version, entry, stored }: RecordedVersion,
  { directory = '', ...sources }: ConfigurationSources,
): Promise<Configuration> {
  const configured = entry ?? { name, code: name };
  const today = await resolveConfiguration(configured, { directory, ...sources });
  const references = Object.entries(listReferences(version)).filter(
    ([key]) => sources.config?.[key] === undefined,
  );
  const again = await resolveReferences(Object.fromEntries(references), name, { directory, ...sources });
  const values: Configuration = { ...stored, ...today, ...again };
  const names = Object.keys(version.configuration);
  const missing = names.filter((key) => values[key] === undefined);
  if (missing.length > 0)
    throw usageError(
      `Version ${version.number} of ${name} needs values for ${missing.join(', ')}.`,
      `Give them: ${missing.map((key) => `--config ${key}=…`).join(' ')}`,
    );
  return Object.fromEntries(names.map((key) => [key, values[key] ?? '']));
}

/** Declares a reactor as it was in a version. Configuration values, which are not recorded, are resolved again. */
async function declareVersion(recorded: RecordedVersion, sources: ConfigurationSources): Promise<Declared> {
  const { object, version, code } = recorded;
  const { number, deployed_at, application } = version;
  const configuration = await resolveVersion(recorded, sources);
  const names = Object.keys(configuration);
  const again = names.length > 0 ? `; values of ${names.join(', ')} resolved again` : '';
  return {
    kind: 'reactor',
    name: object.name,
    inManifest: true,
    note: `version ${number} of ${deployed_at}${again}`,
    references: listReferences(version),
    outcome: succeeded({ content: { name: object.name, code, application, configuration } }),
  };
}
