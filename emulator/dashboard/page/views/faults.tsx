import type { Fault, FaultSpec } from '../../../../src/contract/control/faults.js';
import { OPERATION_IDS } from '../../../../src/contract/operations.js';
import { callControl } from '../api/client.js';
import type { FormFields } from '../components/field-values.js';
import { FormPanel } from '../components/form.js';
import { Page } from '../components/page.js';
import { type Column, TablePanel } from '../components/table.js';
import { Action } from '../components/text.js';
import { useControl, useWorkbench } from '../hooks/emulator.js';

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

const COLUMNS: readonly Column<Fault>[] = [['Fault', 'wide', faultText]];

const FIELDS: FormFields = {
  operation: { kind: 'text', options: ['', ...OPERATION_IDS], hint: 'Every request without one.' },
  status: { kind: 'number', hint: 'Of the response, 400 to 599; empty for a delay or a reset.' },
  reset: { kind: 'boolean', label: 'Reset the connection instead' },
  latency_ms: { kind: 'number', label: 'Wait, ms', placeholder: '0' },
  times: { kind: 'number', placeholder: 'always' },
  rate: { kind: 'number', label: 'Share', hint: '0.1 for every tenth request.', placeholder: '1' },
};

export function Faults() {
  const { scope: tenant } = useWorkbench();
  // A fault with a limited number of times counts down with the requests.
  const list = useControl('faults.list', { tenant }, ({ kind }) =>
    ['faults', 'reset', 'request'].includes(kind),
  );
  const clear = () => callControl('faults.clear', { tenant });
  const remove = (id: string) => callControl('faults.remove', { tenant, path: { id } });
  return (
    <Page
      title="Faults"
      summary="Requests of the service fail or wait as you say, those that this page sends with a key included."
    >
      <div class="columns">
        <TablePanel
          title="Injected faults"
          links={!!list.value?.faults.length && <Action name="Remove all" run={clear} />}
          resource={list}
          columns={COLUMNS}
          actions={(fault) => (
            <Action small name="Remove" label={`Remove: ${faultText(fault)}`} run={() => remove(fault.id)} />
          )}
          rows={list.value?.faults}
          empty={{
            title: 'No faults are injected.',
            command: 'tokenctl emulator fault add --operation tokens.create --status 503 --times 3',
          }}
        />
        <FormPanel
          label="New fault"
          submit="Add fault"
          fields={FIELDS}
          values={{ status: 500 }}
          save={(body: FaultSpec) => callControl('faults.add', { tenant, body })}
          withJson
        />
      </div>
    </Page>
  );
}
