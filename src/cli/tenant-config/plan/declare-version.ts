import { usageError } from '../../lib/errors.js';
import type { ReactorEntry } from '../../manifest/manifest.js';
import { resolveReferences } from '../../manifest/references.js';
import { type ConfigurationSources, resolveConfiguration } from '../../reactors/project/configuration.js';
import { type Declared, succeeded } from '../declaration/declare.js';
import type { LockedObject, LockedVersion } from '../lock/lock-content.js';

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
      `Version ${version.number} of ${name} has configuration without a value: ${missing.join(', ')}.`,
      `Pass it: ${missing.map((key) => `--config ${key}=…`).join(' ')}`,
    );
  return Object.fromEntries(names.map((key) => [key, values[key] ?? '']));
}

/** Declares a reactor as it was in a version. Configuration values, which are not recorded, are resolved again. */
export async function declareVersion(
  recorded: RecordedVersion,
  sources: ConfigurationSources,
): Promise<Declared> {
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
