import * as z from 'zod';
import { fieldErrors } from '../../../contract/validation.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { CliError, usageError } from '../../lib/errors.js';
import { readText } from '../project/source-file.js';
import { hashContent, toContent } from './content.js';
import type { Plan, PlannedReactor } from './plan.js';

const change = z.object({ field: z.string(), change: z.enum(['added', 'changed', 'removed']) });

const plannedRow = z.object({
  name: z.string(),
  action: z.enum(['create', 'update', 'unchanged', 'delete']),
  /** The ID on the service; absent if the reactor is to be created. */
  id: z.string().optional(),
  /** Relative to the working directory. */
  file: z.string().optional(),
  /** Hash of the content on the service when the plan was created; null for none. */
  remote_hash: z.string().nullable(),
  /** Hash of the planned content, including the configuration values that are not in the plan; null for none. */
  desired_hash: z.string().nullable(),
  code: z.string().optional(),
  minified: z.boolean().optional(),
  application: z.string().nullable().optional(),
  changes: z.array(change),
  diff: z.string(),
});

const planFile = z.object({
  version: z.literal(1),
  /** Base URL of the service. */
  target: z.string(),
  created_at: z.string(),
  reactors: z.array(plannedRow),
});

/** A reactor of a plan file. */
export type PlannedRow = z.infer<typeof plannedRow>;

/** A plan on disk, for review. It contains the code, but of the configuration only a hash. */
export type PlanFile = z.infer<typeof planFile>;

function toRow({ name, action, file, before, desired, minified, changes, diff }: PlannedReactor): PlannedRow {
  return {
    name,
    action,
    id: before?.id,
    file,
    remote_hash: before ? hashContent(toContent(before)) : null,
    desired_hash: hashContent(desired),
    code: desired.code,
    minified,
    application: desired.application,
    changes,
    diff,
  };
}

/** Converts a plan to the rows of its file. Reactors that could not be planned are omitted. */
export function toRows({ reactors, deletions }: Plan): PlannedRow[] {
  return [
    ...reactors.flatMap((planned) => (planned.action === 'fail' ? [] : [toRow(planned)])),
    ...deletions.map(
      ({ before }): PlannedRow => ({
        name: before.name,
        action: 'delete',
        id: before.id,
        remote_hash: hashContent(toContent(before)),
        desired_hash: null,
        changes: [],
        diff: '',
      }),
    ),
  ];
}

/** Writes a plan, readable by its owner only. */
export async function writePlanFile(path: string, plan: Plan): Promise<void> {
  const created_at = new Date().toISOString();
  const content: PlanFile = { version: 1, target: plan.target, created_at, reactors: toRows(plan) };
  await writeFileAtomically(path, `${JSON.stringify(content, null, 2)}\n`);
}

/** Reads a plan. @throws {CliError} if the file is not a valid plan. */
export async function readPlanFile(path: string): Promise<PlanFile> {
  const text = await readText(path, 'The plan');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw usageError(`${path} is not JSON.`, `Create a plan: tokenctl reactor plan --out ${path}`);
  }
  const parsed = planFile.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new CliError('usage', `${path} is not a valid plan.`, { errors: fieldErrors(parsed.error) });
}
