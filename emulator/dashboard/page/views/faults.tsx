import type { Fault, FaultSpec } from '../../../../src/contract/control/faults.js';
import { OPERATION_IDS } from '../../../../src/contract/operations.js';
import { callControl } from '../api/control-client.js';
import { Action } from '../components/action.js';
import { Editor } from '../components/editor.js';
import type { EditorFields } from '../components/field-values.js';
import { ScopeSwitch } from '../components/header.js';
import { Page, Panel } from '../components/page.js';
import { EmptyState, Loaded } from '../components/states.js';
import { useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useWorkbench } from '../hooks/workbench.js';

/** `tokens.list: responds 503, 5 more` */
function faultText({ operation, method, path, latency_ms, status, reset, times, rate }: Fault): string {
  const what = operation ?? ([method, path].filter(Boolean).join(' ') || 'every request');
  const happens = [
    latency_ms !== undefined && `waits ${latency_ms} ms`,
    status !== undefined && `responds ${status}`,
    reset && 'resets the connection',
    times !== undefined && `${times} more`,
    rate !== undefined && `${Math.round(rate * 100)} % of requests`,
  ];
  return `${what}: ${happens.filter(Boolean).join(', ')}`;
}

/** What a fault consists of. */
const FIELDS: EditorFields = {
  operation: { kind: 'text', suggest: ['', ...OPERATION_IDS], hint: 'Every request without one.' },
  status: { kind: 'number', hint: 'Of the response, 400 to 599; empty for a delay or a reset.' },
  reset: { kind: 'boolean', label: 'Reset the connection instead' },
  latency_ms: { kind: 'number', label: 'Wait, ms', placeholder: '0' },
  times: { kind: 'number', placeholder: 'always' },
  rate: { kind: 'number', label: 'Share', hint: '0.1 for every tenth request.', placeholder: '1' },
};

/** Failures and delays that are injected into requests of the service. */
export function Faults() {
  const { scope } = useWorkbench();
  const faults = useResource(() => callControl('faults.list', { tenant: scope }), [scope]);
  // A fault with a limited number of times counts down with the requests.
  useReloadOn(({ kind }) => ['faults', 'reset', 'request'].includes(kind), faults.reload);
  const clear = () => callControl('faults.clear', { tenant: scope });
  return (
    <Page
      title="Faults"
      actions={<ScopeSwitch />}
      summary="Requests of the service fail or wait as you say, those that this page sends with a key included."
    >
      <div class="columns">
        <Panel
          title="Injected faults"
          actions={faults.value?.faults.length ? <Action name="Remove all" run={clear} /> : undefined}
        >
          <Loaded resource={faults}>
            {(list) =>
              list.faults.length > 0 ? (
                <ul class="list">
                  {list.faults.map((fault) => (
                    <li key={fault.id}>
                      <span>{faultText(fault)}</span>
                      <Action
                        small
                        name="Remove"
                        label={`Remove: ${faultText(fault)}`}
                        run={() => callControl('faults.remove', { tenant: scope, path: { id: fault.id } })}
                      />
                    </li>
                  ))}
                </ul>
              ) : (
                <EmptyState
                  title="No faults are injected."
                  command="tokenctl emulator fault add --operation tokens.create --status 503 --times 3"
                />
              )
            }
          </Loaded>
        </Panel>
        <Panel title="New fault">
          <Editor
            label="New fault"
            submit="Add fault"
            fields={FIELDS}
            values={{ status: 500 }}
            save={(body) => callControl('faults.add', { tenant: scope, body: body as FaultSpec })}
          />
        </Panel>
      </div>
    </Page>
  );
}
