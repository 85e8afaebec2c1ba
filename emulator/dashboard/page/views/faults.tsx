import { useState } from 'preact/hooks';
import type { Fault, FaultSpec } from '../../../../src/contract/control/faults.js';
import { OPERATION_IDS } from '../../../../src/contract/operations.js';
import { callControl } from '../api/control-client.js';
import { Select, TextField } from '../components/fields.js';
import { Form } from '../components/form.js';
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

const KINDS = [
  ['500', '500 Internal Server Error'],
  ['503', '503 Service Unavailable'],
  ['429', '429 Too Many Requests'],
  ['409', '409 Conflict'],
  ['404', '404 Not Found'],
  ['latency', 'delay the response'],
  ['reset', 'connection reset'],
] as const;

/** The latency of a fault that only delays, if none is given. Milliseconds. */
const DEFAULT_LATENCY_MS = 1_000;

const OPERATIONS = [['', 'all'] as const, ...OPERATION_IDS.map((id) => [id, id] as const)];

function FaultForm() {
  const { scope } = useWorkbench();
  const [operation, setOperation] = useState('');
  const [kind, setKind] = useState('500');
  const [latency, setLatency] = useState('');
  const [times, setTimes] = useState('');
  const [percent, setPercent] = useState('');

  const add = () => {
    const id = OPERATION_IDS.find((one) => one === operation);
    const body: FaultSpec = {
      ...(id && { operation: id }),
      ...(kind === 'reset' && { reset: true }),
      ...(/^\d+$/.test(kind) && { status: Number(kind) }),
      ...(kind === 'latency' && { latency_ms: DEFAULT_LATENCY_MS }),
      ...(latency !== '' && { latency_ms: Number(latency) }),
      ...(times !== '' && { times: Number(times) }),
      ...(percent !== '' && { rate: Number(percent) / 100 }),
    };
    return callControl('faults.add', { tenant: scope, body });
  };

  return (
    <Form label="New fault" submit="Add fault" onSubmit={add}>
      <Select label="Operation" value={operation} options={OPERATIONS} onChange={setOperation} />
      <Select label="What happens" value={kind} options={KINDS} onChange={setKind} />
      <div class="fields">
        <TextField label="Wait, ms" type="number" value={latency} onChange={setLatency} placeholder="0" />
        <TextField label="Times" type="number" value={times} onChange={setTimes} placeholder="always" />
        <TextField label="Share, %" type="number" value={percent} onChange={setPercent} placeholder="100" />
      </div>
    </Form>
  );
}
