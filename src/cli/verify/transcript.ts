import { cleanUpClient } from '../../client/clean-up.js';
import { type Client, ServiceError } from '../../client/index.js';
import { buildRequest } from '../../client/request.js';
import { operationRow } from '../../contract/operations.js';
import { normalize, toShape } from './normalize.js';
import { type Run, STEPS, type Step } from './steps.js';

/** The response of a service to a step, normalized for comparison. */
export interface ObservedResponse {
  status: number;
  /** Of an error, only the names in `errors`: services word their messages differently. */
  body: unknown;
}

interface CreatedObject {
  step: Step;
  id: string;
}

function readId(body: unknown): string | undefined {
  const id = (body as { id?: unknown } | undefined)?.id;
  return typeof id === 'string' ? id : undefined;
}

async function observe(
  client: Client,
  step: Step,
  run: Run,
): Promise<ObservedResponse & { id?: string | undefined }> {
  try {
    // Not `send`: a body of another shape is a difference to report, not an error.
    const { status, body } = await client.request(
      buildRequest(operationRow(step.operation), step.input(run)),
    );
    const compared = step.compare === 'shape' ? toShape(body) : normalize(body, run.mark);
    return { status, body: compared, id: readId(body) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { status: error.status, body: { errors: Object.keys(error.problem.errors ?? {}).sort() } };
  }
}

/** Deletes what the run created and did not delete itself. */
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

/**
 * Sends all steps to one service and records the responses. Deletes everything it created, also after Ctrl-C.
 * @throws {ConnectionError | TimeoutError} if the service cannot be reached.
 */
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
