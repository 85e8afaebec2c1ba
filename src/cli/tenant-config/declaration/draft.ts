import { RESOURCES, type ResourceField } from '../../../contract/resources.js';
import { usageError } from '../../lib/errors.js';
import type { ApplicationIds } from '../resources/application-ids.js';
import type { Contents } from '../resources/content.js';
import type { Draft } from './declared.js';

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
