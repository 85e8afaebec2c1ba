import type { ComponentChildren } from 'preact';
import type { Overview as OverviewData } from '../../../../src/contract/control/schemas.js';
import { callControl } from '../api/control-client.js';
import { Connect } from '../components/connect.js';
import { EventLines, isLineEvent } from '../components/event-lines.js';
import { Failures } from '../components/failures.js';
import { Page, Panel } from '../components/page.js';
import { RequestPanel } from '../components/request-table.js';
import { EmptyState, Loaded, Skeleton } from '../components/states.js';
import { TokenTable } from '../components/token-table.js';
import { Usage } from '../components/usage.js';
import { formatNumber } from '../format.js';
import { changesData, useEvents, useReloadOn, useRequests } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useWorkbench } from '../hooks/workbench.js';

const SHOWN = 8;
const SHOWN_TOKENS = 6;

/** What happens in the tenant at this moment. */
export function Overview() {
  const { tenant, service } = useWorkbench();
  const overview = useResource(() => callControl('overview', { query: { tenant: tenant.id } }), []);
  useReloadOn((event) => changesData(event) || event.kind === 'request', overview.reload);
  const requests = useRequests();
  const lines = useEvents().filter(isLineEvent);
  return (
    <Page title="Overview" summary={tenant.name}>
      <Figures
        overview={overview.value}
        requests={requests.length}
        failed={requests.filter(({ status }) => status >= 400).length}
      />
      <div class="columns">
        <div class="stack-wide">
          <Failures />
          <RequestPanel
            title="Requests"
            actions={<a href="#/requests">All requests</a>}
            requests={requests.slice(0, SHOWN)}
            empty={{
              title: 'No requests yet.',
              command: `tokenctl token create --type token --data '"hello"'`,
              children: 'Requests of clients appear here as they happen.',
            }}
          />
          <Panel title="Newest tokens" chip="data masked" actions={<a href="#/tokens">All tokens</a>}>
            <Loaded resource={overview}>
              {({ tokens }) =>
                tokens.total > 0 ? (
                  <TokenTable tokens={tokens.newest.slice(0, SHOWN_TOKENS)} />
                ) : (
                  <EmptyState title="No tokens yet.">
                    <a href="#/tokens/new">Create one</a>, or let your application do it.
                  </EmptyState>
                )
              }
            </Loaded>
          </Panel>
        </div>
        <div class="stack-wide">
          {service && <Connect />}
          <Panel title="Usage" actions={<a href="#/tenant">Tenant</a>}>
            <Loaded resource={overview}>{({ usage }) => <Usage report={usage} />}</Loaded>
          </Panel>
          <Panel title="Reactor log" actions={<a href="#/reactors">Reactors</a>}>
            {lines.length > 0 ? (
              <EventLines events={lines.slice(-50)} label="Reactor log" />
            ) : (
              <EmptyState title="Nothing logged yet." command="tokenctl reactor deploy charge.js">
                What reactors log, send and call appears here.
              </EmptyState>
            )}
          </Panel>
        </div>
      </div>
    </Page>
  );
}

interface FiguresProps {
  overview: OverviewData | undefined;
  requests: number;
  failed: number;
}

function Figures({ overview, requests, failed }: FiguresProps) {
  const { tokens, usage, reactors, applications } = overview ?? {};
  return (
    <dl class="figures" aria-label="Figures">
      <Figure name="Tokens" href="#/tokens" value={tokens?.total} />
      <Figure name="Active this month" href="#/tenant" value={usage?.monthly_active_tokens} />
      <Figure name="Reactors" href="#/reactors" value={reactors?.total} />
      <Figure name="Applications" href="#/applications" value={applications} />
      <Figure name="Requests seen" href="#/requests" value={overview && requests} />
      <Figure name="Failed" href="#/requests?status=failed" value={overview && failed} />
    </dl>
  );
}

/** A number that leads to what it counts; a placeholder until it is known. */
function Figure({ name, href, value }: { name: ComponentChildren; href: string; value: number | undefined }) {
  return (
    <div>
      <dt>
        <a href={href}>{name}</a>
      </dt>
      <dd>{value === undefined ? <Skeleton lines={1} /> : formatNumber(value)}</dd>
    </div>
  );
}
