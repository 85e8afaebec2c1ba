import type { Client } from '../../client/client.js';
import { ServiceError } from '../../client/errors.js';
import { JSON_CONTENT_TYPE } from '../../contract/headers.js';
import { normalise } from './normalise.js';
import { type Notes, STEPS, type Step } from './steps.js';

/** What a service answered, normalised. */
export interface Answered {
  status: number;
  body: unknown;
}

async function send(step: Step, notes: Notes, client: Client): Promise<Answered> {
  const body = step.body?.(notes);
  try {
    const answer = await client.request({
      method: step.method,
      path: step.path(notes),
      permission: step.permission,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': step.contentType ?? JSON_CONTENT_TYPE },
      }),
    });
    const id = (answer.body as { id?: unknown } | undefined)?.id;
    if (step.keep && typeof id === 'string') notes[step.keep] = id;
    return { status: answer.status, body: normalise(answer.body) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The words of a message may differ; which properties it blames may not.
    return { status: error.status, body: { errors: Object.keys(error.problem.errors ?? {}).sort() } };
  }
}

/** Plays the steps on a service. The last ones delete what was created; they are tried, too, when one cannot be sent. */
export async function play(run: string, client: Client): Promise<Answered[]> {
  const notes: Notes = { run, token: 'missing', reactor: '00000000-0000-4000-8000-000000000000' };
  const answers: Answered[] = [];
  try {
    for (const step of STEPS) answers.push(await send(step, notes, client));
  } catch (error) {
    const deletions = STEPS.filter(({ method }) => method === 'DELETE');
    for (const step of deletions) await send(step, notes, client).catch(() => undefined);
    throw error;
  }
  return answers;
}
