import { createHmac } from 'node:crypto';
import { basename } from 'node:path';
import { stringify } from 'safe-stable-stringify';
import { isObject, jsonOf } from '../../../contract/json.js';
import { PROJECT_FILE_NAMES } from '../../config/paths.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { assertVersionKnown } from '../../lib/document.js';
import { usageError } from '../../lib/errors.js';
import { readText } from '../../reactors/project/selection.js';
import type { Content, Stored } from '../resources/content.js';
import { type Field, hashFields, listFields } from '../resources/field.js';
import type { TenantIdentity } from '../tenant-identity.js';
import type { Plan, PlannedDeletion, PlannedObject } from './plan.js';

export interface PlannedRow
  extends Pick<PlannedObject, 'kind' | 'name' | 'file' | 'changes' | 'weakenings' | 'diff'> {
  action: PlannedObject['action'] | 'delete';
  /** The ID on the service; absent if the object is to be created. */
  id?: string | undefined;
  /** The name that the object has on the service. */
  previous_name?: string | undefined;
  /** State of the object on the service when the plan was made; null for none. */
  remote: string | null;
  /** Hash of the planned object, without configuration values; null for none. */
  hash: string | null;
  /** Digest of the configuration values, which only the user who made the plan can compare. */
  secrets?: string | undefined;
  /** What the object will be, without configuration values. */
  content?: Content | undefined;
  minified?: boolean | undefined;
}

const PLAN_VERSION = 3;

/** A plan on disk, for review. It contains code, but no configuration values. */
export interface PlanFile {
  version: typeof PLAN_VERSION;
  target: string;
  tenant: TenantIdentity;
  environment?: string | undefined;
  created_at: string;
  objects: PlannedRow[];
  /** Of everything else, with the digest key. */
  signature: string;
}

/** Describes the state of a stored object, so that a later change is noticed. It includes no configuration value. */
export const fingerprintStored = ({ kind, id, content, createdAt, modifiedAt }: Stored): string =>
  `${hashFields(listFields(kind, content))} ${id} ${modifiedAt ?? createdAt}`;

function toRow(planned: PlannedObject, digestKey: string): PlannedRow {
  const { kind, name, action, file, before, desired, hash, minified, changes, weakenings, diff } = planned;
  const { configuration: _, ...content } = desired;
  return {
    ...{ kind, name, action, id: before?.id, previous_name: before?.content.name, file },
    remote: before ? fingerprintStored(before) : null,
    hash,
    secrets: digestSecrets(listFields(kind, desired), digestKey),
    ...{ content, minified, changes, weakenings, diff },
  };
}

const toDeletionRow = ({ kind, name, before }: PlannedDeletion): PlannedRow => ({
  ...{ kind, name, action: 'delete', id: before.id, remote: fingerprintStored(before) },
  ...{ hash: null, changes: [], weakenings: [], diff: '' },
});

export function toRows({ objects, deletions }: Plan, digestKey: string): PlannedRow[] {
  return [
    ...objects.flatMap((planned) => (planned.action === 'fail' ? [] : [toRow(planned, digestKey)])),
    ...deletions.map(toDeletionRow),
  ];
}

export async function writePlanFile(
  path: string,
  plan: Plan,
  { tenant, environment, digestKey }: Pick<PlanFile, 'tenant' | 'environment'> & { digestKey: string },
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

const isManifest = (path: string): boolean => PROJECT_FILE_NAMES.includes(basename(path));

/** @throws {CliError} if a plan would take the place of the manifest */
export function assertNoManifest(path: string): void {
  if (isManifest(path))
    throw usageError(`--out ${path} is the manifest.`, 'Name another file: --out plan.json');
}

/** Reads a plan. @throws {CliError} if the file is not a plan, or was changed since it was made */
export async function readPlanFile(path: string, digestKey: string): Promise<PlanFile> {
  if (isManifest(path))
    throw usageError(`${path} is the manifest, not a plan.`, 'Apply the manifest: tokenctl apply');
  const parsed = jsonOf(await readText(path, 'The plan'));
  const hint = `Make a new plan: tokenctl plan --out ${path}`;
  if (parsed === undefined)
    throw usageError(`${path} is not JSON.`, 'Make a plan: tokenctl plan --out plan.json');
  assertVersionKnown(path, parsed, PLAN_VERSION);
  if (!isObject(parsed) || parsed.version !== PLAN_VERSION || typeof parsed.signature !== 'string')
    throw usageError(`${path} is not a valid plan.`, hint);
  const { signature, ...content } = parsed;
  const expected = signDocument(content, digestKey);
  // What was signed was written by this program.
  if (signature === expected) return parsed as unknown as PlanFile;
  if (isDifferentDigest(signature as string, expected))
    throw usageError(`${path} was changed after it was made.`, hint);
  throw usageError(
    `${path} was signed with another key than that of this machine.`,
    'Set the same TOKENCTL_DIGEST_KEY for plan and apply, or make the plan where it is applied.',
  );
}

const KEY_ID_CHARACTERS = 8;

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex');

const idOf = (key: string): string => hmac(key, 'key id').slice(0, KEY_ID_CHARACTERS);

/** Digests an object's secrets, which cannot be guessed from it without the key: `<key id>:<digest>`. */
export function digestSecrets(fields: readonly Field[], key: string): string | undefined {
  const secrets = fields.filter(({ show }) => show === 'secret').map(({ name, value }) => [name, value]);
  return secrets.length === 0 ? undefined : `${idOf(key)}:${hmac(key, stringify(secrets))}`;
}

/** Signs a document, so that a change of it is noticed by whoever has the key: `<key id>:<signature>`. */
function signDocument(document: object, key: string): string {
  return `${idOf(key)}:${hmac(key, `document ${stringify(document)}`)}`;
}

/** Reports whether two digests were made with the same key from different secrets. */
export function isDifferentDigest(one: string | undefined, other: string | undefined): boolean {
  const [key, otherKey] = [one, other].map((digest) => digest?.split(':')[0]);
  return key === otherKey && one !== other;
}
