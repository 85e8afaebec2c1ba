import { cleanUpClient } from '../../client/clean-up.js';
import { type Client, ServiceError } from '../../client/index.js';
import { buildRequest } from '../../client/request.js';
import { isObject } from '../../contract/json.js';
import { operationRow } from '../../contract/operations.js';
import { UUID_PATTERN } from '../../contract/uuid.js';
import { type Run, STEPS, type Step } from './steps.js';

const UUID = new RegExp(UUID_PATTERN, 'gi');
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Replaces what differs between services by its kind: UUIDs, times, fingerprints. @param mark names what the run creates */
export const normalize = (value: unknown, mark: string): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (name, part) => {
    if (name === 'fingerprint') return '<fingerprint>';
    return typeof part === 'string' ? normalizeText(part, mark) : part;
  });

function normalizeText(text: string, mark: string): string {
  // Times in 2040 come from requests and are equal on both sides; others come from the clock.
  if (TIME.test(text) && !text.startsWith('2040-')) return '<time>';
  return text.replaceAll(mark, '<run>').replace(UUID, '<uuid>');
}

/** Deeper levels depend on the tenant, such as on the token types that it has. */
const SHAPE_DEPTH = 2;

/** Replaces values by their types. Omits `modified_*`, which an object has only after a change. */
export function toShape(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth === SHAPE_DEPTH)
    return `<${value === null ? 'null' : typeof value}>`;
  const entries = Object.entries(value).filter(([name]) => !name.startsWith('modified_'));
  return Object.fromEntries(entries.map(([name, part]) => [name, toShape(part, depth + 1)]));
}

/** Maps the path of each leaf, such as `data.number`, to its JSON. */
export function listLeaves(value: unknown, path = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null)
    return new Map([[path, JSON.stringify(value) ?? 'nothing']]);
  const entries = Object.entries(value);
  if (entries.length === 0) return new Map([[path, Array.isArray(value) ? '[]' : '{}']]);
  return new Map(entries.flatMap(([name, part]) => [...listLeaves(part, path ? `${path}.${name}` : name)]));
}

export interface ObservedResponse {
  status: number;
  /** Of an error, only the names in `errors`: services word their messages differently. */
  body: unknown;
}

type CreatedObject = { step: Step; id: string };

async function observe(client: Client, step: Step, run: Run): Promise<ObservedResponse & { id?: string }> {
  try {
    // Not `send`: a body of another shape is a difference to report, not an error.
    const { status, body } = await client.request(
      buildRequest(operationRow(step.operation), step.input(run)),
    );
    const compared = step.compare === 'shape' ? toShape(body) : normalize(body, run.mark);
    const id = isObject(body) && typeof body.id === 'string' ? { id: body.id } : {};
    return { status, body: compared, ...id };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { status: error.status, body: { errors: Object.keys(error.problem.errors ?? {}).sort() } };
  }
}

async function cleanUp(client: Client, created: readonly CreatedObject[]): Promise<void> {
  const cleaning = cleanUpClient(client);
  const deletions = created.map(({ step, id }) => {
    const operation = step.operation === 'reactors.create' ? 'reactors.delete' : 'tokens.delete';
    return cleaning.send(operation, { path: { id } }).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
  });
  await Promise.all(deletions);
}

/** Sends all steps and records the responses. Deletes everything it created, also after Ctrl-C. */
export async function recordTranscript(client: Client, mark: string): Promise<ObservedResponse[]> {
  const created: CreatedObject[] = [];
  const run: Run = {
    mark,
    // A step that failed created nothing. The steps that depend on it fail as well and show up as differences.
    idOf: (name) =>
      created.find(({ step }) => step.name === name)?.id ?? '00000000-0000-4000-8000-000000000000',
  };
  const observed: ObservedResponse[] = [];
  try {
    for (const step of STEPS) {
      const { id, ...rest } = await observe(client, step, run);
      if (id !== undefined && rest.status === 201) created.push({ step, id });
      observed.push(rest);
    }
  } finally {
    await cleanUp(client, created);
  }
  return observed;
}
