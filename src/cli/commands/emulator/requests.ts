import { describeVerification } from '../../../client/explanations.js';
import type { EmulatorEvent, RequestEvent } from '../../../contract/control/events.js';
import type { RequestExpectation } from '../../../contract/control/request-journal.js';
import { EVENT_KINDS } from '../../../contract/control/vocabulary.js';
import { METHODS } from '../../../contract/operation-row.js';
import { OPERATION_IDS } from '../../../contract/operations.js';
import type { Context } from '../../command.js';
import type { ExpectationOptions } from '../../flags/emulator-flags.js';
import type { Options } from '../../flags/flag.js';
import { CliError } from '../../lib/errors.js';
import { newestLimit, printEvents } from '../shared/events.js';
import { oneOf } from '../shared/flag-values.js';
import { readJson } from '../shared/input.js';
import { callControl, type TenantOption } from '../shared/running-emulator.js';

type StreamOptions = TenantOption & Options<'background' | 'follow', boolean> & Options<'limit', number>;

type RequestOptions = StreamOptions & Options<'application'> & Options<'failed', boolean>;

const FIRST_ERROR = 400;

export async function listRequests(
  { application, failed = false, limit, ...stream }: RequestOptions,
  context: Context,
) {
  const isWanted = ({ application_id, application_name, status }: RequestEvent) =>
    (application === undefined || application === application_name || application === application_id) &&
    (!failed || status >= FIRST_ERROR);
  const passes = (event: EmulatorEvent) => event.kind === 'request' && isWanted(event);
  await printEvents({ ...stream, limit: newestLimit(limit, context), passes }, context);
}

export async function verifyRequests({ tenant, ...options }: ExpectationOptions, context: Context) {
  const { operation, method, path, status, application, times } = options;
  const expectation: RequestExpectation = {
    operation: oneOf(OPERATION_IDS, operation, '--operation'),
    method: oneOf(METHODS, method?.toUpperCase(), '--method'),
    path,
    status,
    application,
    ...(options.body !== undefined && { body: await readJson(options.body, '--body', context) }),
    times,
  };
  const verification = await callControl(context, 'requests.verify', { tenant, body: expectation });
  if (!verification.ok) throw new CliError('failed', describeVerification(expectation, verification));
  await context.output.plain(verification);
}

type LogOptions = StreamOptions & Options<'kind', string[]>;

export async function showLogs({ kind, limit, ...stream }: LogOptions, context: Context) {
  const kinds = kind
    ?.flatMap((list) => list.split(','))
    .map((one) => oneOf(EVENT_KINDS, one.trim(), '--kind'));
  const passes = (event: EmulatorEvent) => !kinds || kinds.includes(event.kind);
  await printEvents({ ...stream, limit: newestLimit(limit, context), passes }, context);
}
