import { useState } from 'preact/hooks';
import type { FaultSpec } from '../../../../src/contract/control/faults.js';
import { OPERATION_IDS } from '../../../../src/contract/operations.js';
import { callControl } from '../api/control-client.js';
import { Select, TextField } from '../components/fields.js';
import { Form } from '../components/form.js';
import { useWorkbench } from '../hooks/workbench.js';

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

export function FaultForm() {
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
