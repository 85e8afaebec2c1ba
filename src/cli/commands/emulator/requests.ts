import { describeVerification } from '../../../client/explanations.js';
import type { EmulatorEvent, RequestEvent } from '../../../contract/control/events.js';
import type { RequestExpectation } from '../../../contract/control/request-journal.js';
import { EVENT_KINDS } from '../../../contract/control/vocabulary.js';
import { METHODS } from '../../../contract/operation-row.js';
import { OPERATION_IDS } from '../../../contract/operations.js';
import type { Context } from '../../command.js';
import type { ExpectationOptions } from '../../flags/emulator-flags.js';
import { CliError } from '../../lib/errors.js';
import type { PlainView } from '../../output/view.js';
import { describeAuditDetails, newestLimit, printEvents } from '../shared/events.js';
import { oneOf } from '../shared/flag-values.js';
import { readJson } from '../shared/input.js';
import { callControl, type TenantOption } from '../shared/running-emulator.js';

interface RequestOptions extends TenantOption {
  background?: boolean | undefined;
  application?: string | undefined;
  failed?: boolean | undefined;
  follow?: boolean | undefined;
  limit?: number | undefined;
}

const FIRST_ERROR = 400;

export async function listRequests(
  { application, background = false, failed = false, follow = false, limit, tenant }: RequestOptions,
  context: Context,
) {
  const isWanted = ({ application_id, application_name, status }: RequestEvent) =>
    (application === undefined || application === application_name || application === application_id) &&
    (!failed || status >= FIRST_ERROR);
  const newest = newestLimit(limit, context);
  const passes = (event: EmulatorEvent) => event.kind === 'request' && isWanted(event);
  if (follow) return printEvents({ follow, tenant, background, limit: newest, passes }, context);
  const query = background ? { background: 'true' as const } : {};
  const { requests } = await callControl(context, 'requests.list', { tenant, query });
  await context.output.plainList(requests.filter(isWanted).slice(-newest), VIEW);
}

const show = (text: (event: RequestEvent) => string) => (_: unknown, event: unknown) =>
  text(event as RequestEvent);

const VIEW: PlainView = {
  columns: [
    { title: 'TIME', field: 'time', format: 'time', importance: 2 },
    { title: 'STATUS', field: 'status', importance: 6 },
    {
      title: 'REQUEST',
      field: 'path',
      show: show(({ method, path }) => `${method} ${path}`),
      min: 16,
      importance: 5,
    },
    { title: 'APPLICATION', field: 'application_name', importance: 4 },
    {
      title: 'DETAIL',
      field: 'error',
      show: show((event) => event.error ?? describeAuditDetails(event)),
      min: 18,
      importance: 3,
    },
    { title: 'MS', field: 'duration_ms', align: 'right' },
    { title: 'TRACE ID', field: 'trace_id', format: 'id', importance: 1 },
  ],
  empty: 'No requests.',
};

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

interface LogOptions extends TenantOption {
  background?: boolean | undefined;
  follow?: boolean | undefined;
  kind?: string[] | undefined;
  limit?: number | undefined;
}

export async function showLogs(
  { background, follow = false, kind, limit, tenant }: LogOptions,
  context: Context,
) {
  const kinds = kind
    ?.flatMap((list) => list.split(','))
    .map((one) => oneOf(EVENT_KINDS, one.trim(), '--kind'));
  const passes = (event: EmulatorEvent) => !kinds || kinds.includes(event.kind);
  await printEvents({ follow, tenant, background, limit: newestLimit(limit, context), passes }, context);
}
