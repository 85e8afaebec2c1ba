import type { ApplicationType } from '../../../contract/application-types.js';
import { permissionsOfType } from '../../../contract/permissions.js';
import { CliError, usageError } from '../../lib/errors.js';
import { hasReference } from '../../manifest/references.js';
import type { ApplicationRow, TenantRow, WebhookRow } from '../../manifest/schema.js';
import type { ReactorBuild } from '../../reactors/build/build.js';
import type { BuiltProxy, ProxyBuild } from '../../reactors/build/build-proxies.js';
import type { SelectedReactor } from '../../reactors/project/selection.js';
import { TENANT } from '../resources/adapters.js';
import type { ApplicationContent, TenantContent } from '../resources/content.js';
import type { Declared, Draft } from './declared.js';
import { type DeclaredValues, draftObject } from './declared.js';

const succeeded = <Value>(value: Value) => ({ ok: true as const, value, durationMs: 0 });

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

function completeApplication(
  row: ApplicationRow,
  before: ApplicationContent | undefined,
): ApplicationContent {
  const { name, permissions, rules } = row;
  const type = row.type ?? before?.type;
  if (type === undefined)
    throw usageError(`The application ${JSON.stringify(name)} needs a \`type\` to be created.`);
  if (before && before.type !== type)
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

/** Declares the applications of a manifest. */
export function declareApplications(rows: readonly ApplicationRow[]): Declared<'application'>[] {
  return rows.map((row) => ({
    kind: 'application',
    name: row.name,
    previousName: row.previous_name,
    inManifest: true,
    outcome: succeeded({ complete: (before) => completeApplication(row, before) }),
  }));
}

/** Declares the webhooks of a manifest. */
export function declareWebhooks(rows: readonly WebhookRow[]): Declared<'webhook'>[] {
  return rows.map(({ previous_name, ...values }) => ({
    kind: 'webhook',
    name: values.name,
    previousName: previous_name,
    inManifest: true,
    outcome: succeeded(draftObject('webhook', values)),
  }));
}

function completeTenant({ name, settings }: TenantRow, before: TenantContent | undefined): TenantContent {
  if (!before) throw new CliError('not_found', 'There is no tenant for this key.');
  const { fingerprint_tokens, deduplicate_tokens } = settings ?? {};
  return {
    name: name ?? before.name,
    settings: {
      fingerprint_tokens: fingerprint_tokens ?? before.settings.fingerprint_tokens,
      deduplicate_tokens: deduplicate_tokens ?? before.settings.deduplicate_tokens,
    },
  };
}

/** Declares the tenant itself. */
export function declareTenant(row: TenantRow): Declared<'tenant'> {
  return {
    kind: 'tenant',
    name: TENANT,
    inManifest: true,
    outcome: succeeded({ complete: (before) => completeTenant(row, before) }),
  };
}

/** Drafts a reactor from its build. */
export function draftReactor({
  minified,
  ...values
}: DeclaredValues<'reactor'> & Pick<Draft<'reactor'>, 'minified'>): Draft<'reactor'> {
  return { ...draftObject('reactor', values), minified };
}

/** Declares reactors from their builds. */
export function declareReactors(
  entries: readonly SelectedReactor[],
  builds: readonly ReactorBuild[],
): Declared<'reactor'>[] {
  return builds.map(({ name, file, inManifest, outcome }, index) => {
    const { previous_name, smoke, configuration = {} } = entries[index] ?? {};
    const references = Object.entries(configuration).filter(([, value]) => hasReference(value));
    return {
      kind: 'reactor',
      name,
      previousName: previous_name,
      file,
      inManifest,
      smoke,
      references: Object.fromEntries(references),
      outcome: outcome.ok ? { ...outcome, value: draftReactor(outcome.value) } : outcome,
    };
  });
}

function toDraft({ entry }: ProxyBuild, { request, response, configuration }: BuiltProxy): Draft<'proxy'> {
  const { name, destination_url, application, require_auth } = entry;
  const transforms = { request_transform: request, response_transform: response };
  return draftObject('proxy', {
    ...{ name, destination_url, ...transforms, configuration, application, require_auth },
  });
}

/** Declares proxies from their builds. */
export function declareProxies(builds: readonly ProxyBuild[]): Declared<'proxy'>[] {
  return builds.map((build) => {
    const { entry, file, outcome } = build;
    return {
      kind: 'proxy',
      name: entry.name,
      previousName: entry.previous_name,
      file,
      inManifest: true,
      outcome: outcome.ok ? { ...outcome, value: toDraft(build, outcome.value) } : outcome,
    };
  });
}
