import { cleanUpClient } from '../../client/clean-up.js';
import { type Client, ServiceError } from '../../client/index.js';
import { normalize, shapeOf } from './normalize.js';
import { type Run, STEPS, type Step } from './scenarios.js';

/** What a service answered to a step, ready to be compared. */
export interface Observed {
  status: number;
  /** Of a problem, the names of its errors: the wording is each service's own. */
  body: unknown;
}

interface Made {
  step: Step;
  id: string;
}

function idIn(body: unknown): string | undefined {
  const id = (body as { id?: unknown } | undefined)?.id;
  return typeof id === 'string' ? id : undefined;
}

async function observe(
  client: Client,
  step: Step,
  run: Run,
): Promise<Observed & { id?: string | undefined }> {
  try {
    const { status, body } = await client.send(step.operation, step.input(run));
    const compared = step.compare === 'shape' ? shapeOf(body) : normalize(body, run.mark);
    return { status, body: compared, id: idIn(body) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { status: error.status, body: { errors: Object.keys(error.problem.errors ?? {}).sort() } };
  }
}

/** Deletes what the run created and has not deleted itself. */
async function cleanUp(client: Client, made: readonly Made[]): Promise<void> {
  const cleaning = cleanUpClient(client);
  const deletions = made.map(({ step, id }) => {
    const operation = step.operation === 'reactors.create' ? 'reactors.delete' : 'tokens.delete';
    return cleaning.send(operation, { path: { id } }).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
  });
  await Promise.all(deletions);
}

/**
 * Tells the story to one service and leaves nothing behind, after Ctrl-C neither.
 * @throws {ConnectionError | TimeoutError} when it cannot be reached
 */
export async function transcribe(client: Client, mark: string): Promise<Observed[]> {
  const made: Made[] = [];
  const run: Run = {
    mark,
    // A step that failed on this side made nothing; the steps that build on it are refused, and show it.
    idOf: (name) => made.find(({ step }) => step.name === name)?.id ?? '00000000-0000-4000-8000-000000000000',
  };
  const observed: Observed[] = [];
  try {
    for (const step of STEPS) {
      const { id, ...rest } = await observe(client, step, run);
      if (id !== undefined && rest.status === 201) made.push({ step, id });
      observed.push(rest);
    }
  } finally {
    await cleanUp(client, made);
  }
  return observed;
}
