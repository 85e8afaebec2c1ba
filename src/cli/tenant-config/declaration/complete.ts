import type { ApplicationType } from '../../../contract/application-types.js';
import { permissionsOfType } from '../../../contract/permissions.js';
import { CliError, usageError } from '../../lib/errors.js';
import type { ApplicationRow } from '../../manifest/schema.js';
import type { ApplicationIds } from '../resources/application-ids.js';
import { type Content, type DeclaredContent, fieldsOf, type Kind } from '../resources/content.js';

/** @throws {CliError} if an application of this type may not hold a permission; the service would refuse it */
function assertAllowed(type: ApplicationType, { name, permissions = [], rules = [] }: ApplicationRow): void {
  const allowed = permissionsOfType(type);
  const granted = new Set([...permissions, ...rules.flatMap((rule) => rule.permissions)]);
  const refused = [...granted].filter((permission) => !allowed.includes(permission));
  if (refused.length > 0)
    throw usageError(
      `The ${type} application ${JSON.stringify(name)} cannot have ${refused.join(', ')}.`,
      `Permissions of ${type} applications: ${allowed.join(', ')}.`,
    );
}

function completeApplication(row: ApplicationRow, before: Content | undefined): Content {
  const { name, permissions, rules } = row;
  const type = row.type ?? before?.type;
  if (type === undefined)
    throw usageError(`The application ${JSON.stringify(name)} needs a \`type\` to be created.`);
  if (before?.type && before.type !== type)
    throw new CliError('failed', `The type of an application never changes; it is ${before.type}.`, {
      hint: 'Declare an application of another name, and delete this one.',
    });
  assertAllowed(type, row);
  if (rules) return { name, type, rules };
  if (permissions) return { name, type, permissions };
  if (before) return { ...before, name };
  throw usageError(
    `The application ${JSON.stringify(name)} needs \`permissions\` or \`rules\` to be created.`,
  );
}

function completeTenant({ name, settings }: Partial<Content>, before: Content | undefined): Content {
  if (!before?.settings) throw new CliError('not_found', 'There is no tenant for this key.');
  return { name: name ?? before.name, settings: { ...before.settings, ...settings } };
}

const neededFields = (kind: Kind): string[] =>
  fieldsOf(kind).flatMap(([name, field]) =>
    field.required && field.default === undefined && name !== 'name' ? [name] : [],
  );

function toKnownReference(application: unknown, ids: ApplicationIds): unknown {
  if (typeof application !== 'string') return application;
  const reference = ids.toReference(application);
  ids.assertKnown(reference);
  return reference;
}

/** Takes each field from the declaration, else from the service, else from a new object. */
function completeFields(
  kind: Kind,
  declared: DeclaredContent,
  before: Content | undefined,
  ids: ApplicationIds,
): Content {
  const application = toKnownReference(declared.application, ids);
  const values: Readonly<Record<string, unknown>> = { ...declared, application };
  const stored: Readonly<Record<string, unknown>> = { ...before };
  const complete: Record<string, unknown> = {};
  for (const [name, field] of fieldsOf(kind))
    complete[name] = values[name] === undefined ? (stored[name] ?? field.default ?? null) : values[name];
  const needed = neededFields(kind);
  if (needed.some((name) => complete[name] === null))
    throw usageError(
      `The ${kind} ${JSON.stringify(declared.name)} needs ${needed.map((name) => `\`${name}\``).join(' and ')} to be created.`,
    );
  // The contract says what the fields of the table hold.
  return complete as unknown as Content;
}

/** Completes what the files declare of an object with what they leave to the service. */
export function completeContent(
  kind: Kind,
  declared: DeclaredContent,
  before: Content | undefined,
  ids: ApplicationIds,
): Content {
  // The schema of the manifest has checked what it declares.
  if (kind === 'application') return completeApplication(declared as ApplicationRow, before);
  if (kind === 'tenant') return completeTenant(declared as Partial<Content>, before);
  return completeFields(kind, declared, before, ids);
}
