import type { AccessCall, AccessDecision, AccessScope } from '../../../../src/contract/control/access.js';
import { RULE_OUTCOMES } from '../../../../src/contract/control/vocabulary.js';
import { callControl } from '../api/control-client.js';
import { RequestError } from '../api/request-error.js';
import { useResource } from '../hooks/resource.js';
import { useWorkbench } from '../hooks/workbench.js';
import { hrefTo } from '../route.js';
import { Panel } from './page.js';
import { Loaded } from './states.js';
import { type Column, Table } from './table.js';
import { Badge, Id } from './text.js';

const SCOPES: Record<AccessScope, string> = {
  operation: 'for the operation',
  any_container: 'on one of the containers',
  every_container: 'on each of the containers',
  response: 'to show the token in the response',
  list: 'for the list',
  left_out: 'left out of the list',
};

type TriedRule = NonNullable<AccessDecision['rules']>[number];

const RULE_COLUMNS: readonly Column<TriedRule>[] = [
  { name: 'Priority', kind: 'number', cell: ({ priority }) => priority },
  { name: 'Container', kind: 'fit', cell: ({ container }) => <code>{container}</code> },
  { name: 'Shows data as', kind: 'fit', cell: ({ transform }) => transform },
  { name: 'Permissions', kind: 'wide', cell: ({ permissions }) => permissions.join(', ') },
  {
    name: 'Outcome',
    kind: 'fit',
    cell: ({ outcome }) => (
      <Badge tone={outcome === 'decides' || outcome === 'grants' ? 'good' : 'quiet'}>
        {RULE_OUTCOMES[outcome]}
      </Badge>
    ),
  },
];

async function loadCalls(traceId: string, tenant: string): Promise<AccessCall[]> {
  try {
    return (await callControl('access.explain', { tenant, path: { traceId } })).calls;
  } catch (error) {
    // The decisions are kept for recent requests only.
    if (error instanceof RequestError && error.status === 404) return [];
    throw error;
  }
}

/** Which permissions and rules decided the requests under a trace ID. */
export function Decisions({ traceId }: { traceId: string }) {
  const { tenant } = useWorkbench();
  const calls = useResource(() => loadCalls(traceId, tenant.id), [traceId]);
  return (
    <Loaded resource={calls} lines={2}>
      {(loaded) => loaded.map((call, index) => <Call key={index} call={call} />)}
    </Loaded>
  );
}

function Call({ call: { application, actor, permissions, decisions, cut } }: { call: AccessCall }) {
  return (
    <Panel
      title="Decision"
      actions={<a href={hrefTo(['applications', application.id])}>{application.name}</a>}
    >
      {actor.type !== 'application' && (
        <p class="quiet">
          Called by {actor.type} <Id value={actor.id} />
        </p>
      )}
      {permissions && (
        <p class="quiet">
          The application holds {permissions.join(', ') || 'no permission'}, on every container.
        </p>
      )}
      {decisions.length === 0 && <p class="quiet">Any valid key may do this.</p>}
      <ol class="stack">
        {decisions.map((decision, index) => (
          <li key={index} class="stack">
            <Decision decision={decision} />
          </li>
        ))}
      </ol>
      {cut && <p class="quiet">More decisions were left out.</p>}
    </Panel>
  );
}

function Decision({ decision }: { decision: AccessDecision }) {
  const {
    scope,
    permission,
    granted,
    containers = [],
    missing_on = [],
    transform,
    left_out,
    rules = [],
  } = decision;
  return (
    <>
      <p class="row">
        <Badge tone={granted ? 'good' : 'bad'}>{granted ? 'granted' : 'refused'}</Badge>
        <code>{permission}</code>
        <span>{SCOPES[scope]}</span>
        {containers.length > 0 && <code>{containers.join(' ')}</code>}
        {missing_on.length > 0 && <span>missing on {missing_on.join(' ')}</span>}
        {transform && <span class="quiet">data: {transform}</span>}
        {left_out !== undefined && left_out > 0 && <span>{left_out} tokens left out</span>}
      </p>
      {rules.length > 0 && (
        <Table
          label={`Rules tried for ${permission}`}
          columns={RULE_COLUMNS}
          rows={rules}
          keyOf={({ priority, container, transform: shown }) => `${priority} ${container} ${shown}`}
        />
      )}
    </>
  );
}
