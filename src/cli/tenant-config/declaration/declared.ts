import { RESOURCES, type ResourceField } from '../../../contract/resources.js';
import type { Attempt } from '../../lib/attempt.js';
import { usageError } from '../../lib/errors.js';
import type { SmokeCase } from '../../manifest/schema.js';
import type { ApplicationIds } from '../resources/application-ids.js';
import type { Contents, Kind } from '../resources/content.js';

/** What the files say about an object, before it is known what the service has. */
export interface Draft<K extends Kind> {
  /**
   * Completes the declared values with those that are left to the service.
   * @param before what the service has; undefined for a new object
   * @throws {CliError} if the object cannot become what is declared
   */
  complete(before: Contents[K] | undefined, ids: ApplicationIds): Contents[K];
  /** The ID or name of the application that the object refers to. */
  application?: string | undefined;
  /** The code was minified. */
  minified?: boolean | undefined;
}

/** An object that the files declare. */
export interface Declared<K extends Kind = Kind> {
  kind: K;
  name: string;
  /** The name that the object may still have on the service. */
  previousName?: string | undefined;
  /** The code, relative to the working directory, with forward slashes. */
  file?: string | undefined;
  /** The manifest declares it. Only such an object is recorded in the lock file and may be pruned later. */
  inManifest: boolean;
  /** Run after a change. */
  smoke?: readonly SmokeCase[] | undefined;
  /** What the report says about the object. */
  note?: string | undefined;
  /** Configuration values that contain references, as they are written in the manifest. */
  references?: Readonly<Record<string, string>> | undefined;
  /** Failed if the files are not valid. */
  outcome: Attempt<Draft<K>>;
}

/** The kinds whose fields are independent of each other. */
type DraftKind = 'reactor' | 'proxy' | 'webhook';

type Values = Readonly<Record<string, unknown>>;

/** What the files say of an object; undefined is left to the service. */
export type DeclaredValues<K extends DraftKind> = { name: string } & {
  [Name in keyof Contents[K]]?: Contents[K][Name] | undefined;
};

/** Returns the declared value, the one that the service has, or that of a new object; null for none. */
function completeValue(declared: unknown, before: unknown, field: ResourceField): unknown {
  if (declared !== undefined) return declared;
  return before ?? field.default ?? null;
}

/** Lists the fields that must be declared to create an object. */
const neededFields = (kind: DraftKind): string[] =>
  Object.entries(RESOURCES[kind].fields).flatMap(([name, field]) =>
    field.required && field.default === undefined && name !== 'name' ? [name] : [],
  );

function toKnownReference(application: unknown, ids: ApplicationIds): unknown {
  if (typeof application !== 'string') return application;
  const reference = ids.toReference(application);
  ids.assertKnown(reference);
  return reference;
}

/** Drafts an object from what the files say. */
export function draftObject<K extends DraftKind>(kind: K, declared: DeclaredValues<K>): Draft<K> {
  const { application, ...others }: Values = declared;
  return {
    application: typeof application === 'string' ? application : undefined,
    complete(before, ids) {
      const values: Values = { ...others, application: toKnownReference(application, ids) };
      const stored: Values = { ...before };
      const content = Object.entries(RESOURCES[kind].fields).map(([name, field]) => [
        name,
        completeValue(values[name], stored[name], field),
      ]);
      const complete: Values = Object.fromEntries(content);
      const needed = neededFields(kind);
      if (needed.some((name) => complete[name] === null))
        throw usageError(
          `The ${kind} ${JSON.stringify(declared.name)} needs ${needed.map((name) => `\`${name}\``).join(' and ')} to be created.`,
        );
      // The contract says what the fields of the table hold.
      return complete as unknown as Contents[K];
    },
  };
}
