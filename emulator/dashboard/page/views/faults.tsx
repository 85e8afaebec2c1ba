import type { Fault } from '../../../../src/contract/control/faults.js';
import { callControl } from '../api/control-client.js';
import { Page, Panel } from '../components/page.js';
import { ScopeSwitch } from '../components/scope-switch.js';
import { EmptyState, Loaded } from '../components/states.js';
import { useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useWorkbench } from '../hooks/workbench.js';
import { FaultForm } from './fault-form.js';

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

/** Failures and delays that are injected into requests of the service. */
export function Faults() {
  const { attempt, scope } = useWorkbench();
  const faults = useResource(() => callControl('faults.list', { tenant: scope }), [scope]);
  // A fault with a limited number of times counts down with the requests.
  useReloadOn(({ kind }) => ['faults', 'reset', 'request'].includes(kind), faults.reload);
  return (
    <Page
      title="Faults"
      actions={<ScopeSwitch />}
      summary="Requests of the service fail or wait as you say, those that this page sends with a key included."
    >
      <div class="columns">
        <Panel
          title="Injected faults"
          actions={
            (faults.value?.faults.length ?? 0) > 0 && (
              <button
                type="button"
                onClick={() => attempt(() => callControl('faults.clear', { tenant: scope }))}
              >
                Remove all
              </button>
            )
          }
        >
          <Loaded resource={faults}>
            {(list) =>
              list.faults.length > 0 ? (
                <ul class="list">
                  {list.faults.map((fault) => (
                    <li key={fault.id}>
                      <span>{faultText(fault)}</span>
                      <button
                        type="button"
                        class="small"
                        aria-label={`Remove: ${faultText(fault)}`}
                        onClick={() =>
                          attempt(() =>
                            callControl('faults.remove', { tenant: scope, path: { id: fault.id } }),
                          )
                        }
                      >
                        Remove
                      </button>
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
          <FaultForm />
        </Panel>
      </div>
    </Page>
  );
}
