import type { RequestEvent } from '../../../contract/control/events.js';
import type { Context } from '../../command.js';
import type { View } from '../../output/view.js';
import { describeAuditDetails } from '../shared/audit-details.js';
import { type TenantOption, withControl } from '../shared/running-emulator.js';

interface RequestOptions extends TenantOption {
  application?: string | undefined;
  failed?: boolean | undefined;
}

/** The lowest status of an error response. */
const FIRST_ERROR = 400;

/** Lists the recent requests of the service: who sent them, and why one was refused. */
export async function run(
  { application, failed = false, tenant }: RequestOptions,
  context: Context,
): Promise<void> {
  const { requests } = await withControl(context, (control) => control.call('requests.list', { tenant }));
  const isWanted = ({ application_id, application_name, status }: RequestEvent) =>
    (application === undefined || application === application_name || application === application_id) &&
    (!failed || status >= FIRST_ERROR);
  await context.output.list(requests.filter(isWanted), VIEW);
}

const show = (text: (event: RequestEvent) => string) => (_: unknown, event: unknown) =>
  text(event as RequestEvent);

const VIEW: View = {
  redaction: 'plain',
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
      min: 40,
      importance: 3,
    },
    { title: 'MS', field: 'duration_ms', align: 'right' },
    { title: 'TRACE ID', field: 'trace_id', format: 'id', importance: 1 },
  ],
  empty: 'No requests.',
};
