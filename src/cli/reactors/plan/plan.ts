import { writeFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Client } from '../../../client/client.js';
import { fieldErrors } from '../../../contract/validation.js';
import { CliError, usageError } from '../../lib/errors.js';
import { desiredContent } from '../apply/remote.js';
import type { PreparedReactor } from '../build/prepare.js';
import type { CreatedReactor } from '../project/lock-file.js';
import { readText } from '../project/source-file.js';
import { changesBetween, contentHash, contentOf } from './compare.js';
import { unifiedDiff } from './diff.js';
import { findReactor } from './lookup.js';

const change = z.object({ field: z.string(), change: z.enum(['added', 'changed', 'removed']) });

const plannedReactor = z.object({
  name: z.string(),
  action: z.enum(['create', 'update', 'unchanged', 'delete']),
  /** Of the reactor on the service; absent when it is to be created. */
  id: z.string().optional(),
  /** Relative to the working directory. */
  file: z.string().optional(),
  /** What was on the service when the plan was made; null: nothing. */
  remote_hash: z.string().nullable(),
  /** What shall be there; null: nothing. It covers the configuration, whose values are not in the plan. */
  desired_hash: z.string().nullable(),
  code: z.string().optional(),
  minified: z.boolean().optional(),
  application: z.string().nullable().optional(),
  changes: z.array(change),
  diff: z.string(),
});

const plan = z.object({
  version: z.literal(1),
  /** The base URL. */
  target: z.string(),
  created_at: z.string(),
  reactors: z.array(plannedReactor),
});

export type PlannedReactor = z.infer<typeof plannedReactor>;
/** What a deployment will do, to be looked at first. It holds the code, and of configuration nothing but a digest. */
export type Plan = z.infer<typeof plan>;

/** What deploying one reactor would do. */
export async function planReactor(client: Client, prepared: PreparedReactor): Promise<PlannedReactor> {
  const { name, file, code, minified } = prepared;
  const existing = await findReactor(client, name);
  const before = existing && contentOf(existing);
  const desired = await desiredContent(client, prepared, existing);
  const changes = changesBetween(before, desired);
  const update = changes.length > 0 ? 'update' : 'unchanged';
  return {
    name,
    action: before ? update : 'create',
    id: existing?.id,
    file,
    remote_hash: before ? contentHash(before) : null,
    desired_hash: contentHash(desired),
    code,
    minified,
    application: desired.application,
    changes,
    diff: unifiedDiff(before, desired),
  };
}

/** The plan of deleting a reactor that the manifest no longer names. */
export async function planDeletion(client: Client, { id, name }: CreatedReactor): Promise<PlannedReactor> {
  const before = contentOf(await client.call('reactors.get', { path: { id } }));
  return {
    name,
    action: 'delete',
    id,
    remote_hash: contentHash(before),
    desired_hash: null,
    changes: [],
    diff: '',
  };
}

export async function writePlan(path: string, content: Plan): Promise<void> {
  await writeFile(path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}

/** @throws {CliError} when the file is no plan. */
export async function readPlan(path: string): Promise<Plan> {
  const text = await readText(path, 'The plan');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw usageError(`${path} is not JSON; a plan is written by tokenctl reactor plan --out ${path}.`);
  }
  const parsed = plan.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new CliError('usage', `${path} is no plan of this version of tokenctl.`, {
    errors: fieldErrors(parsed.error),
  });
}

/** What stands between a planned reactor and carrying it out; undefined when nothing does. */
async function conflictReason(
  client: Client,
  { name, id, remote_hash, desired_hash }: PlannedReactor,
  prepared: PreparedReactor | undefined,
): Promise<string | undefined> {
  const now = await findReactor(client, name);
  if ((now ? contentHash(contentOf(now)) : null) !== remote_hash || now?.id !== id)
    return 'was changed on the service since';
  if (!prepared) return undefined;
  const desired = contentHash(await desiredContent(client, prepared, now));
  return desired === desired_hash ? undefined : 'has another configuration than the planned one';
}

/**
 * Refuses a plan that no longer fits, before anything of it is carried out.
 * @param prepared by name, of those to be created or updated.
 * @throws {CliError} that names each reactor and what is in the way.
 */
export async function assertPlanCurrent(
  client: Client,
  { reactors }: Plan,
  prepared: ReadonlyMap<string, PreparedReactor>,
): Promise<void> {
  const checked = reactors.map(async (planned) => ({
    name: planned.name,
    reason: await conflictReason(client, planned, prepared.get(planned.name)),
  }));
  const errors = (await Promise.all(checked)).flatMap(({ name, reason }) =>
    reason ? [[name, [reason]]] : [],
  );
  if (errors.length === 0) return;
  throw new CliError('failed', 'The plan does not fit any more; nothing was changed.', {
    errors: Object.fromEntries(errors),
    hint: 'Plan again: tokenctl reactor plan. Values of --config and --env-file must be given to apply as they were to plan.',
  });
}
