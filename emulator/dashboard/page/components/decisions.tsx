import type { AccessCall, AccessDecision, AccessScope } from '../../../../src/contract/control/access.js';
import { RULE_OUTCOMES } from '../../../../src/contract/control/vocabulary.js';
import type { AccessRule } from '../../../../src/contract/schemas/index.js';
import { callControl, orIfGone } from '../api/client.js';
import { useResource, useWorkbench } from '../hooks/emulator.js';
import { hrefTo } from '../route.js';
import { Loaded, Panel } from './page.js';
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

export const RULE_COLUMNS: readonly Column<AccessRule>[] = [
  ['Priority', 'number', ({ priority }) => priority],
  ['Container', 'fit', ({ container }) => <code>{container}</code>],
  ['Data shown as', 'fit', ({ transform }) => transform],
  ['Permissions', 'wide', ({ permissions }) => permissions.join(', ')],
];

const TRIED_COLUMNS: readonly Column<NonNullable<AccessDecision['rules']>[number]>[] = [
  ...RULE_COLUMNS,
  [
    'Outcome',
    'fit',
    ({ outcome }) => (
      <Badge tone={outcome === 'decides' || outcome === 'grants' ? 'good' : 'quiet'}>
        {RULE_OUTCOMES[outcome]}
      </Badge>
    ),
  ],
];

/** Which permissions and rules decided the requests under a trace ID; nothing for requests that are not recent. */
export function Decisions({ traceId }: { traceId: string }) {
  const { tenant } = useWorkbench();
  const calls = useResource(
    () => orIfGone(callControl('access.explain', { tenant: tenant.id, path: { traceId } }), { calls: [] }),
    [traceId],
  );
  return (
    <Loaded resource={calls}>
      {(loaded) => loaded.calls.map((call, index) => <Call key={index} call={call} />)}
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
            <Decision {...decision} />
          </li>
        ))}
      </ol>
      {cut && <p class="quiet">More decisions were left out.</p>}
    </Panel>
  );
}

function Decision(decision: AccessDecision) {
  const { scope, permission, granted, containers = [], missing_on = [], transform } = decision;
  const { left_out = 0, rules = [] } = decision;
  return (
    <>
      <p class="row">
        <Badge tone={granted ? 'good' : 'bad'}>{granted ? 'granted' : 'refused'}</Badge>
        <code>{permission}</code>
        <span>{SCOPES[scope]}</span>
        {containers.length > 0 && <code>{containers.join(' ')}</code>}
        {missing_on.length > 0 && <span>missing on {missing_on.join(' ')}</span>}
        {transform && <span class="quiet">data: {transform}</span>}
        {left_out > 0 && <span>{left_out} tokens left out</span>}
      </p>
      {rules.length > 0 && (
        <Table label={`Rules tried for ${permission}`} columns={TRIED_COLUMNS} rows={rules} />
      )}
    </>
  );
}
