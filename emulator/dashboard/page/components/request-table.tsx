import type { ComponentChildren } from 'preact';
import type { RequestEvent } from '../../../../src/contract/control/events.js';
import { hrefTo } from '../route.js';
import { Panel } from './page.js';
import { EmptyState } from './states.js';
import { type Column, Table } from './table.js';
import { None, RequestLine, Status, Time } from './text.js';

/** Rows that are shown of a longer list. */
const MAX_ROWS = 200;

const REQUEST: Column<RequestEvent> = {
  name: 'Request',
  kind: 'wide',
  cell: ({ method, path, trace_id }) => (
    <RequestLine method={method} path={path} href={hrefTo(['requests', trace_id])} />
  ),
};
const TIME: Column<RequestEvent> = {
  name: 'Time',
  kind: 'fit',
  cell: ({ time }) => <Time value={time} short />,
};
const STATUS: Column<RequestEvent> = {
  name: 'Status',
  kind: 'fit',
  cell: ({ status }) => <Status value={status} />,
};
const APPLICATION: Column<RequestEvent> = {
  name: 'Application',
  kind: 'fit',
  cell: ({ application_id: id, application_name: name }) =>
    id === undefined ? <None /> : <a href={hrefTo(['applications', id])}>{name}</a>,
};
const DURATION: Column<RequestEvent> = {
  name: 'ms',
  kind: 'number',
  cell: ({ duration_ms }) => duration_ms.toFixed(1),
};

const SHORT = [TIME, REQUEST, STATUS, DURATION];
const FULL = [TIME, REQUEST, STATUS, APPLICATION, DURATION];

export function RequestTable({
  requests,
  short = false,
}: {
  requests: readonly RequestEvent[];
  short?: boolean;
}) {
  return (
    <Table
      label="Requests"
      columns={short ? SHORT : FULL}
      rows={requests.slice(0, MAX_ROWS)}
      keyOf={({ trace_id, time, method, path }) => `${trace_id} ${time} ${method} ${path}`}
    />
  );
}

interface RequestPanelProps {
  title: string;
  requests: readonly RequestEvent[];
  empty: { title: string; command?: string; children?: ComponentChildren };
  actions?: ComponentChildren;
}

/** Requests in a panel, without the application. */
export function RequestPanel({ title, requests, empty, actions }: RequestPanelProps) {
  return (
    <Panel title={title} actions={actions}>
      {requests.length > 0 ? <RequestTable requests={requests} short /> : <EmptyState {...empty} />}
    </Panel>
  );
}
