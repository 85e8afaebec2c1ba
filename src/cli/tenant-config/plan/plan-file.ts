import * as z from 'zod';
import { APPLICATION_TYPES } from '../../../contract/application-types.js';
import { jsonOf } from '../../../contract/json.js';
import { accessControls } from '../../../contract/schemas/applications.js';
import { tenantSettings } from '../../../contract/schemas/tenants.js';
import { webhookContent } from '../../../contract/schemas/webhooks.js';
import { fieldErrors } from '../../../contract/validation.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { assertVersionKnown } from '../../lib/document.js';
import { CliError, usageError } from '../../lib/errors.js';
import { readText } from '../../reactors/project/selection.js';
import { ADAPTERS, listFields } from '../resources/adapters.js';
import type { ApplicationIds } from '../resources/application-ids.js';
import { KINDS, type Kind, type Stored } from '../resources/content.js';
import { hashFields } from '../resources/field.js';
import type { TenantIdentity } from '../tenant-identity.js';
import type { Plan, PlannedObject } from './plan.js';
import { digestSecrets, isDifferentDigest, signDocument } from './secret-digest.js';

const change = z.object({
  field: z.string(),
  change: z.enum(['added', 'changed', 'removed']),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});

/** What an object will be, without configuration values. */
const content = z.union([
  z.strictObject({ code: z.string(), application: z.string().nullable() }),
  z.strictObject({
    destination_url: z.string(),
    request_transform: z.string().nullable(),
    response_transform: z.string().nullable(),
    application: z.string().nullable(),
    require_auth: z.boolean(),
  }),
  z.strictObject({ type: z.enum(APPLICATION_TYPES), ...accessControls }),
  z.strictObject({
    url: z.string(),
    events: webhookContent.events,
    notify_email: z.string().nullable(),
  }),
  z.strictObject({ settings: tenantSettings }),
]);

const row = z.object({
  kind: z.enum(KINDS),
  name: z.string(),
  action: z.enum(['create', 'update', 'unchanged', 'delete']),
  /** The ID on the service; absent if the object is to be created. */
  id: z.string().optional(),
  /** Relative to the working directory. */
  file: z.string().optional(),
  /** State of the object on the service when the plan was made; null for none. */
  remote: z.string().nullable(),
  /** Hash of the planned object, without configuration values; null for none. */
  hash: z.string().nullable(),
  /** Digest of the configuration values, which only the user who made the plan can compare. */
  secrets: z.string().optional(),
  content: content.optional(),
  minified: z.boolean().optional(),
  changes: z.array(change),
  weakenings: z.array(z.string()),
  diff: z.string(),
});

const PLAN_VERSION = 3;

const planFile = z.object({
  version: z.literal(PLAN_VERSION),
  /** Base URL of the service. */
  target: z.string(),
  tenant: z.object({ id: z.string(), name: z.string().optional() }),
  environment: z.string().optional(),
  created_at: z.string(),
  objects: z.array(row),
  /** Of everything else, with the digest key. */
  signature: z.string(),
});

/** An object of a plan file. */
export type PlannedRow = z.infer<typeof row>;

/** A plan on disk, for review. It contains code, but no configuration values. */
export type PlanFile = z.infer<typeof planFile>;

/** Describes the state of a stored object, so that a later change is noticed. It includes no configuration value. */
export function fingerprintStored<K extends Kind>(
  { kind, id, content: stored, createdAt, modifiedAt }: Stored<K>,
  ids: ApplicationIds,
): string {
  const adapter = ADAPTERS[kind];
  return `${hashFields(adapter.fields(adapter.normalize(stored, ids)))} ${id} ${modifiedAt ?? createdAt}`;
}

/** Converts what is desired to the content of a row. */
function toContent({ kind, desired }: PlannedObject): PlannedRow['content'] {
  if ('code' in desired) return { code: desired.code, application: desired.application };
  if ('destination_url' in desired) {
    const { name: _, configuration: _secrets, ...planned } = desired;
    return planned;
  }
  if ('type' in desired) {
    const { type, permissions, rules } = desired;
    return { type, ...(rules ? { rules } : { permissions: permissions ?? [] }) };
  }
  if ('events' in desired) {
    const { url, events, notify_email } = desired;
    return { url, events, notify_email };
  }
  if ('settings' in desired) return { settings: desired.settings };
  throw new Error(`Plans have no content for a ${kind}.`);
}

function toRow(planned: PlannedObject, ids: ApplicationIds, digestKey: string): PlannedRow {
  const { kind, name, action, file, before, desired, hash, minified, changes, weakenings, diff } = planned;
  return {
    kind,
    name,
    action,
    id: before?.id,
    file,
    remote: before ? fingerprintStored(before, ids) : null,
    hash,
    secrets: digestSecrets(listFields(kind, desired), digestKey),
    content: toContent(planned),
    minified,
    changes,
    weakenings,
    diff,
  };
}

/** Converts a plan to the rows of its file. Objects that could not be planned are omitted. */
export function toRows({ objects, deletions, ids }: Plan, digestKey: string): PlannedRow[] {
  return [
    ...objects.flatMap((planned) => (planned.action === 'fail' ? [] : [toRow(planned, ids, digestKey)])),
    ...deletions.map(
      ({ kind, name, before }): PlannedRow => ({
        kind,
        name,
        action: 'delete',
        id: before.id,
        remote: fingerprintStored(before, ids),
        hash: null,
        changes: [],
        weakenings: [],
        diff: '',
      }),
    ),
  ];
}

/** Writes a plan, readable by its owner only. */
export async function writePlanFile(
  path: string,
  plan: Plan,
  {
    tenant,
    environment,
    digestKey,
  }: { tenant: TenantIdentity; environment: string | undefined; digestKey: string },
): Promise<void> {
  const content: Omit<PlanFile, 'signature'> = {
    version: PLAN_VERSION,
    target: plan.target,
    tenant,
    environment,
    created_at: new Date().toISOString(),
    objects: toRows(plan, digestKey),
  };
  const file: PlanFile = { ...content, signature: signDocument(content, digestKey) };
  await writeFileAtomically(path, `${JSON.stringify(file, null, 2)}\n`);
}

/** @throws {CliError} if a plan is not what was signed */
function assertSigned(path: string, parsed: object, { signature }: PlanFile, digestKey: string): void {
  const { signature: _, ...content } = parsed as PlanFile;
  const expected = signDocument(content, digestKey);
  if (signature === expected) return;
  if (!isDifferentDigest(signature, expected))
    throw usageError(
      `${path} was signed with another key than that of this machine.`,
      'Set the same TOKENCTL_DIGEST_KEY for plan and apply, or make the plan where it is applied.',
    );
  throw usageError(`${path} was changed after it was made.`, `Make a new plan: tokenctl plan --out ${path}`);
}

/** Reads a plan. @throws {CliError} if the file is not a valid plan, or was changed since it was made */
export async function readPlanFile(path: string, digestKey: string): Promise<PlanFile> {
  const text = await readText(path, 'The plan');
  const parsed = jsonOf(text);
  if (parsed === undefined)
    throw usageError(`${path} is not JSON.`, `Create a plan: tokenctl plan --out ${path}`);
  assertVersionKnown(path, parsed, PLAN_VERSION);
  const result = planFile.safeParse(parsed);
  if (result.success) {
    assertSigned(path, parsed as object, result.data, digestKey);
    return result.data;
  }
  throw new CliError('usage', `${path} is not a valid plan.`, { errors: fieldErrors(result.error) });
}
