import { usageError } from '../../lib/errors.js';
import type { ReactorEntry } from '../../manifest/manifest.js';
import { resolveReferences } from '../../manifest/references.js';
import { type ConfigurationSources, resolveConfiguration } from '../../reactors/project/configuration.js';
import { draftReactor } from '../declaration/declare.js';
import type { Declared } from '../declaration/declared.js';
import type { LockedObject, LockedVersion } from '../lock/lock-content.js';

/** A version to return to. */
interface RecordedVersion {
  object: LockedObject;
  version: LockedVersion;
  code: string;
  /** What the manifest says of the reactor today. */
  entry: ReactorEntry | undefined;
}

/** Resolves the references of a version again. */
async function resolveVersion(
  { object, version, entry }: RecordedVersion,
  { directory = '', ...sources }: ConfigurationSources,
): Promise<Record<string, string>> {
  const { name } = object;
  const today = await resolveConfiguration(entry ?? { name, code: name, external: [] }, {
    directory,
    ...sources,
  });
  const references = Object.entries(version.configuration).filter(
    (entry): entry is [string, string] => entry[1] !== null && sources.config?.[entry[0]] === undefined,
  );
  const again = await resolveReferences(Object.fromEntries(references), name, { directory, ...sources });
  return { ...today, ...again };
}

/** Chooses the value of each name that the version had: what was resolved, else what the service has. */
function chooseValues(
  { version, object }: RecordedVersion,
  resolved: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const names = Object.keys(version.configuration);
  const missing = names.filter((name) => resolved[name] === undefined && stored[name] === undefined);
  if (missing.length > 0)
    throw usageError(
      `Version ${version.number} of ${object.name} has configuration without a value: ${missing.join(', ')}.`,
      `Pass it: ${missing.map((name) => `--config ${name}=…`).join(' ')}`,
    );
  return Object.fromEntries(names.map((name) => [name, resolved[name] ?? stored[name] ?? '']));
}

/**
 * Declares a reactor as it was in a version: its code, its application, and its configuration, whose values are resolved
 * again because they are not recorded.
 * @throws {CliError} if a reference cannot be resolved
 */
export async function declareVersion(
  recorded: RecordedVersion,
  sources: ConfigurationSources,
): Promise<Declared<'reactor'>> {
  const { object, version, code } = recorded;
  const { name } = object;
  const { number, deployed_at, application, configuration } = version;
  const resolved = await resolveVersion(recorded, sources);
  const names = Object.keys(configuration);
  const again = names.length > 0 ? `; values of ${names.join(', ')} resolved again` : '';
  const references = Object.entries(configuration).flatMap(([key, reference]) =>
    reference === null ? [] : [[key, reference]],
  );
  return {
    kind: 'reactor',
    name,
    inManifest: true,
    note: `version ${number} of ${deployed_at}${again}`,
    references: Object.fromEntries(references),
    outcome: {
      ok: true,
      durationMs: 0,
      value: {
        application: application ?? undefined,
        complete: (before, ids) =>
          draftReactor({
            name,
            code,
            application,
            configuration: chooseValues(recorded, resolved, before?.configuration),
          }).complete(before, ids),
      },
    },
  };
}
