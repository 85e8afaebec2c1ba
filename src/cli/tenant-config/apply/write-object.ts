import { setTimeout as sleep } from 'node:timers/promises';
import { awaitingClient, cleanUpClient } from '../../../client/clean-up.js';
import type { Client } from '../../../client/client.js';
import { CliError, failureLines } from '../../lib/errors.js';
import { formatActual, type Mismatch, matchJson } from '../../lib/json-match.js';
import { toFailure } from '../../lib/to-failure.js';
import type { SmokeCase } from '../../manifest/schema.js';
import type { DeployedPositions } from '../../reactors/build/deployed-positions.js';
import type { PlannedObject } from '../plan/plan.js';
import type { ApplicationIds } from '../resources/application-ids.js';
import type { Stored } from '../resources/content.js';
import { createObject, listObjects, removeObject, updateObject } from '../resources/objects.js';
import type { SmokeResult } from './result.js';

export interface WriteOptions {
  client: Client;
  ids: ApplicationIds;
  signal: AbortSignal;
  /** A smoke test of the command line, which also runs if nothing has changed. */
  smoke?: SmokeCase | undefined;
  /** Finds the sources of what the errors of smoke tests name. */
  positions?: DeployedPositions | undefined;
}

/** If a response is lost, looks the object up before the repetition: not every service heeds idempotency keys. */
async function createOnce(
  { kind, name, desired }: PlannedObject,
  { client, ids }: WriteOptions,
): Promise<Stored> {
  let created: Stored | undefined;
  const lookUp = async () => {
    [created] = await listObjects(client, kind, name);
    if (created) throw new Error(`The ${kind} was created.`);
  };
  try {
    return await createObject(awaitingClient(client, lookUp), kind, desired, ids);
  } catch (error) {
    if (created) return created;
    throw error;
  }
}

/** Creates or updates an object. Returns its ID. */
export async function writeObject(planned: PlannedObject, options: WriteOptions): Promise<string> {
  const { kind, name, before, desired } = planned;
  const { client, ids } = options;
  const written = before
    ? await updateObject(awaitingClient(client), before, desired, ids)
    : await createOnce(planned, options);
  if (kind === 'application') ids.add(name, written.id);
  await untilActive(written, options);
  return written.id;
}

const POLL_MS = 500;

/** Waits until a reactor or proxy is active; a service that does not tell has it active at once. @throws {CliError} saying why it is not */
async function untilActive(
  { kind, id, state = {} }: Stored,
  { client, signal }: WriteOptions,
): Promise<void> {
  let current = state;
  while (current.state === 'creating') {
    await sleep(POLL_MS, undefined, { signal });
    current = await client.call(kind === 'proxy' ? 'proxies.get' : 'reactors.get', { path: { id } });
  }
  if (current.state !== 'failed') return;
  const reason = current.requested?.error_message ?? 'The service does not say why.';
  throw new CliError('failed', `The ${kind} was written, but is not active: ${reason}`);
}

/** Restores the previous version, or removes a new object, so that code that failed its test does not stay. */
async function rollBack(
  { kind, before }: PlannedObject,
  id: string,
  { client, signal, ids }: WriteOptions,
): Promise<void> {
  const cleanUp = cleanUpClient(client, signal.aborted);
  if (before) await updateObject(cleanUp, before, before.content, ids);
  else await removeObject(cleanUp, kind, id);
}

/** Describes a value of `raw`, which is not sensitive (spec, Reactor code contract). What is in `tokens` is not shown. */
function describeActual({ path, actual }: Mismatch): string {
  const isShown = actual === undefined || /^raw(?:[.[]|$)/.test(path);
  return isShown ? formatActual(actual) : 'another value (not shown)';
}

async function runCase(
  id: string,
  { name, args, expect }: SmokeCase,
  { client, positions }: WriteOptions,
): Promise<void> {
  const title = name === undefined ? '' : ` ${JSON.stringify(name)}`;
  const response = await client
    .call('reactors.react', { path: { id }, body: { args } })
    .catch(async (error) => {
      const { category, errors, traceId, status, detail } = toFailure(error);
      if (category === 'interrupted') throw error;
      const located = (await positions?.replace(id, detail)) ?? detail;
      throw new CliError('failed', `The smoke test${title} failed: ${located}`, { errors, traceId, status });
    });
  if (expect === undefined) return;
  const mismatches = matchJson(expect, response ?? {}, { partial: false });
  if (mismatches.length === 0) return;
  throw new CliError('failed', `The response to the smoke test${title} differs from the expected one.`, {
    errors: Object.fromEntries(
      mismatches.map((mismatch) => [
        mismatch.path || 'response',
        [`expected ${mismatch.expected}, got ${describeActual(mismatch)}`],
      ]),
    ),
  });
}

/** Runs smoke tests, and undoes the write if one fails. Of an unchanged object, only that of the command line runs. */
export async function testObject(
  planned: PlannedObject,
  id: string,
  smoke: SmokeResult[],
  options: WriteOptions,
): Promise<void> {
  const isWritten = planned.action !== 'unchanged';
  const cases = [...((isWritten && planned.smoke) || []), ...(options.smoke ? [options.smoke] : [])];
  try {
    for (const one of cases) {
      const result = { name: one.name, passed: false };
      smoke.push(result);
      await runCase(id, one, options);
      result.passed = true;
    }
  } catch (error) {
    if (!isWritten) throw error;
    await rollBack(planned, id, options).catch((cause) => {
      const { detail, ...failure } = toFailure(error);
      const step = planned.before ? 'Restoring the previous code' : 'Removing the new reactor';
      const reason = failureLines(toFailure(cause)).join('; ');
      throw new CliError('failed', `${detail} ${step} also failed: ${reason}`, failure);
    });
    throw error;
  }
}
