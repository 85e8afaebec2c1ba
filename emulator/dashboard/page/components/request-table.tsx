import type { ComponentChildren } from 'preact';
import type { RequestEvent } from '../../../../src/contract/control/events.js';
import { hrefTo } from '../route.js';
import { type Empty, Panel } from './page.js';
import { type Column, Table } from './table.js';
import { Named, RequestLine, Status, Time } from './text.js';

const MAX_ROWS = 200;

const COLUMNS: readonly Column<RequestEvent>[] = [
  ['Time', 'fit', ({ time }) => <Time value={time} short />],
  [
    'Request',
    'wide',
    ({ method, path, trace_id }) => (
      <RequestLine method={method} path={path} href={hrefTo(['requests', trace_id])} />
    ),
  ],
  ['Status', 'fit', ({ status }) => <Status value={status} />],
  [
    'Application',
    'fit',
    ({ application_id, application_name }) => (
      <Named id={application_id} name={application_name} collection="applications" />
    ),
  ],
  ['ms', 'number', ({ duration_ms }) => duration_ms.toFixed(1)],
];

interface RequestPanelProps {
  title: string;
  requests: readonly RequestEvent[];
  /** Left out where there is always a row. */
  empty?: Empty | undefined;
  chip?: string;
  actions?: ComponentChildren;
  /** With the application. */
  full?: boolean;
}

export const RequestPanel = ({ title, requests, empty, chip, actions, full }: RequestPanelProps) => (
  <Panel title={title} chip={chip} actions={actions}>
    <Table
      label="Requests"
      columns={full ? COLUMNS : COLUMNS.filter(([name]) => name !== 'Application')}
      rows={requests.slice(0, MAX_ROWS)}
      keyOf={({ trace_id, time, method, path }) => `${trace_id} ${time} ${method} ${path}`}
      empty={empty}
    />
  </Panel>
);
