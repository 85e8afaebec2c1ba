import { type ApplicationType, permissionsOfType } from '../../../contract/permissions.js';
import { CliError, usageError } from '../../lib/errors.js';
import { hasReference } from '../../manifest/references.js';
import type { ApplicationRow, TenantRow, WebhookRow } from '../../manifest/schema.js';
import type { ReactorBuild } from '../../reactors/build/build.js';
import type { SelectedReactor } from '../../reactors/project/selection.js';
import type { ApplicationContent, TenantContent, WebhookContent } from '../resources/content.js';
import { TENANT } from '../resources/tenant.js';
import type { Declared, Draft } from './declared.js';

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

function completeWebhook(row: WebhookRow, before: WebhookContent | undefined): WebhookContent {
  const { name } = row;
  const { url = before?.url, events = before?.events, notify_email = before?.notify_email ?? null } = row;
  if (url !== undefined && events) return { name, url, events, notify_email };
  throw usageError(`The webhook ${JSON.stringify(name)} needs \`url\` and \`events\` to be created.`);
}

/** Declares the webhooks of a manifest. */
export function declareWebhooks(rows: readonly WebhookRow[]): Declared<'webhook'>[] {
  return rows.map((row) => ({
    kind: 'webhook',
    name: row.name,
    previousName: row.previous_name,
    inManifest: true,
    outcome: succeeded({ complete: (before) => completeWebhook(row, before) }),
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

/** Drafts a reactor. What is undefined is left to the service. */
export function draftReactor(values: {
  name: string;
  code: string;
  configuration: Record<string, string> | undefined;
  application: string | null | undefined;
  minified?: boolean;
}): Draft<'reactor'> {
  const { name, code, configuration, application, minified } = values;
  return {
    application: application ?? undefined,
    minified,
    complete(before, ids) {
      const reference = typeof application === 'string' ? ids.toReference(application) : application;
      if (typeof reference === 'string') ids.assertKnown(reference);
      return {
        name,
        code,
        configuration: configuration ?? before?.configuration ?? {},
        application: reference === undefined ? (before?.application ?? null) : reference,
      };
    },
  };
}

/** Declares reactors from their builds. */
export function declareReactors(
  entries: readonly SelectedReactor[],
  builds: readonly ReactorBuild[],
): Declared<'reactor'>[] {
  return builds.map(({ name, file, inManifest, outcome }, index) => {
    const { previousName, smoke, configuration = {} } = entries[index] ?? {};
    const references = Object.entries(configuration).filter(([, value]) => hasReference(value));
    return {
      kind: 'reactor',
      name,
      previousName,
      file,
      inManifest,
      smoke,
      references: Object.fromEntries(references),
      outcome: outcome.ok ? { ...outcome, value: draftReactor(outcome.value) } : outcome,
    };
  });
}
