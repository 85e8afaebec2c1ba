import { ServiceError } from '../../../client/errors.js';
import type { ClockChange } from '../../../contract/control/clock.js';
import { didYouMean } from '../../../contract/nearest.js';
import { METHODS } from '../../../contract/operation-row.js';
import { OPERATION_IDS } from '../../../contract/operations.js';
import type { Context } from '../../command.js';
import type { FaultOptions } from '../../flags/emulator-flags.js';
import { durationFlag } from '../../lib/durations.js';
import { CliError, usageError } from '../../lib/errors.js';
import { countOf } from '../../lib/text.js';
import { oneOf } from '../shared/flag-values.js';
import { callControl, type TenantOption } from '../shared/running-emulator.js';

export async function showClock({ tenant }: TenantOption, context: Context) {
  const clock = await callControl(context, 'clock.get', { tenant });
  await context.output.plain(clock);
}

export const setClock = ({ time, tenant }: { time: string } & TenantOption, context: Context) =>
  changeClock({ now: time }, tenant, context);

export const advanceClock = ({ duration, tenant }: { duration: string } & TenantOption, context: Context) =>
  changeClock({ advance: duration }, tenant, context);

export async function listDue({ tenant }: TenantOption, context: Context) {
  const { due } = await callControl(context, 'clock.next', { tenant });
  await context.output.plainList(due, {
    columns: [
      { title: 'TIME', field: 'at', importance: 3 },
      { title: 'KIND', field: 'kind', importance: 2 },
      { title: 'ID', field: 'id', format: 'id', importance: 1 },
      { title: 'EVENT', field: 'event_type' },
      { title: 'TENANT', field: 'tenant_id', format: 'id' },
    ],
    empty: 'Nothing is due.',
  });
}

export const stepClock = ({ tenant }: TenantOption, context: Context) =>
  changeClock({ next: true }, tenant, context);

export const freezeClock = ({ tenant }: TenantOption, context: Context) =>
  changeClock({ frozen: true }, tenant, context);

export const resumeClock = ({ tenant }: TenantOption, context: Context) =>
  changeClock({ frozen: false }, tenant, context);

async function changeClock(change: ClockChange, tenant: string | undefined, context: Context): Promise<void> {
  const { output } = context;
  const clock = await callControl(context, 'clock.change', { tenant, body: change });
  const { length } = clock.pending;
  if (length > 0)
    output.notice(`${length === 1 ? 'One delivery is' : `${length} deliveries are`} due and still pending.`);
  await output.plain(clock);
}

export async function addFault(options: FaultOptions, context: Context) {
  const { tenant, operation, method, path, status, latency, reset, activation, retryAfter, times, rate } =
    options;
  if (status === undefined && latency === undefined && !reset)
    throw usageError('--status, --latency or --reset is missing.');
  const fault = await callControl(context, 'faults.add', {
    tenant,
    body: {
      operation: oneOf(OPERATION_IDS, operation, '--operation'),
      method: oneOf(METHODS, method?.toUpperCase(), '--method'),
      path,
      status,
      latency_ms: latency === undefined ? undefined : durationFlag(latency, '--latency'),
      reset: reset || undefined,
      activation: activation || undefined,
      retry_after: retryAfter,
      times,
      rate: rate === undefined ? undefined : Number(rate),
    },
  });
  await context.output.plain(fault);
}

export async function listFaults({ tenant }: TenantOption, context: Context) {
  const { faults } = await callControl(context, 'faults.list', { tenant });
  await context.output.plainList(faults, {
    columns: [
      { title: 'ID', field: 'id', format: 'id', importance: 3 },
      { title: 'TENANT', field: 'tenant_id', format: 'id' },
      { title: 'OPERATION', field: 'operation', importance: 1 },
      { title: 'METHOD', field: 'method' },
      { title: 'PATH', field: 'path' },
      { title: 'STATUS', field: 'status', importance: 2 },
      { title: 'LATENCY', field: 'latency_ms' },
      { title: 'RESET', field: 'reset' },
      { title: 'TIMES', field: 'times' },
      { title: 'RATE', field: 'rate' },
    ],
    empty: 'No faults.',
  });
}

export async function clearFaults(
  { id, tenant }: { id: string | undefined } & TenantOption,
  context: Context,
) {
  if (id === undefined) await callControl(context, 'faults.clear', { tenant });
  else await callControl(context, 'faults.remove', { tenant, path: { id } });
  context.output.notice(id === undefined ? 'Removed all faults.' : `Removed fault ${id}.`);
}

export async function allowOrigin({ origin }: { origin: string }, context: Context) {
  await callControl(context, 'origins.add', { body: { origin } });
  context.output.notice(`Pages of ${origin} may call the service until the emulator stops.`);
}

export async function listOrigins(_options: object, context: Context) {
  const { origins } = await callControl(context, 'origins.list');
  await context.output.plainList(
    origins.map((origin) => ({ origin })),
    { columns: [{ title: 'ORIGIN', field: 'origin' }], empty: 'No other origins are allowed.' },
  );
}

export async function removeOrigin({ origin }: { origin: string }, context: Context) {
  await callControl(context, 'origins.remove', { query: { origin } });
  context.output.notice(`Pages of ${origin} may no longer call the service.`);
}

export async function saveSnapshot({ name, tenant }: { name: string } & TenantOption, context: Context) {
  const { tokens } = await callControl(context, 'snapshots.save', { tenant, body: { name } });
  context.output.notice(`Saved snapshot ${name} with ${countOf(tokens, 'token')} and all other data.`);
}

export async function restoreSnapshot({ name, tenant }: { name: string } & TenantOption, context: Context) {
  try {
    await callControl(context, 'snapshots.restore', { tenant, path: { name } });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 404) throw error;
    const { snapshots } = await callControl(context, 'snapshots.list', { tenant });
    throw unknownSnapshotError(name, snapshots);
  }
  context.output.notice(`Restored snapshot ${name}. The seeded keys are unchanged.`);
}

function unknownSnapshotError(name: string, snapshots: readonly { name: string }[]): CliError {
  const known = snapshots.map((one) => one.name);
  const detail = `There is no snapshot ${JSON.stringify(name)}.${didYouMean(name, known)}`;
  const hint =
    known.length === 0 ? 'Save one: tokenctl emulator snapshot save NAME' : `There are: ${known.join(', ')}.`;
  return new CliError('not_found', detail, { status: 404, hint });
}

export async function listSnapshots({ tenant }: TenantOption, context: Context) {
  const { snapshots } = await callControl(context, 'snapshots.list', { tenant });
  await context.output.plainList(snapshots, {
    columns: [
      { title: 'NAME', field: 'name', importance: 2 },
      { title: 'TOKENS', field: 'tokens' },
      { title: 'SAVED', field: 'created_at', format: 'time', importance: 1 },
    ],
    empty: 'No snapshots.',
  });
}
