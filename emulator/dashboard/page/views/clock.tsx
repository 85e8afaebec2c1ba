import type { DueItem } from '../../../../src/contract/control/clock.js';
import { Form } from '../components/form.js';
import { Page, Panel } from '../components/page.js';
import { type Column, TablePanel } from '../components/table.js';
import { Action, Id, Time } from '../components/text.js';
import { formatOffset, formatTime } from '../format.js';
import { type ClockControl, useClock, useNow } from '../hooks/clock.js';
import { changesDeliveries } from '../hooks/deliveries.js';
import { useControl, useWorkbench } from '../hooks/emulator.js';

const STEPS = { '+1 min': '1m', '+1 h': '1h', '+1 day': '1d', '+30 days': '30d', '+1 year': '365d' };

/** Time travel: everything that expires or is due uses this clock. */
export function Clock() {
  const clock = useClock();
  return (
    <Page
      title="Clock"
      summary="Tokens expire, webhooks are retried and idempotency keys are forgotten by it. Moving it runs what becomes due."
    >
      <div class="columns even">
        <Panel title="Time" resource={clock}>
          {(reading) => <Controls change={clock.change} reading={reading} />}
        </Panel>
        <DueNext change={clock.change} />
      </div>
    </Page>
  );
}

type Reading = NonNullable<ClockControl['value']>;
type ChangeProps = Pick<ClockControl, 'change'>;

function Controls({ change, reading }: ChangeProps & { reading: Reading }) {
  const { attempt } = useWorkbench();
  const { frozen, offset_ms } = reading;
  const offset = formatOffset(offset_ms);
  const timestamp = new Date(useNow(reading)).toISOString();
  const move = async ({ text }: { text: string }) =>
    attempt(() => change(/^[+-]?\d{4}-/.test(text) ? { now: text.trim() } : { advance: text.trim() }));
  return (
    <div class="stack">
      <p class="row">
        <time class="clock" dateTime={timestamp}>
          {formatTime(timestamp)} UTC
        </time>
        {frozen && <span class="badge">frozen</span>}
        {offset && <span class="badge">{offset}</span>}
      </p>
      <div class="row">
        {Object.entries(STEPS).map(([name, advance]) => (
          <Action key={name} name={name} run={() => change({ advance })} />
        ))}
      </div>
      <div class="row">
        <Action
          name={frozen ? 'Resume' : 'Freeze'}
          pressed={frozen}
          run={() => change({ frozen: !frozen })}
        />
        <Action name="Back to the start" run={() => change({ reset: true })} />
      </div>
      <Form
        label="Move the clock"
        submit="Move"
        fields={{
          text: {
            kind: 'text',
            label: 'Duration or time',
            placeholder: '90m, 1h30m, PT90M or 2030-01-31T12:00Z',
            required: true,
          },
        }}
        save={move}
      />
    </div>
  );
}

const COLUMNS: readonly Column<DueItem>[] = [
  ['What', 'fit', ({ kind, event_type }) => event_type ?? kind.replace('_', ' ')],
  ['ID', 'wide', ({ id }) => <Id value={id} />],
  ['Due', 'fit', ({ at }) => <Time value={at} />],
];

function DueNext({ change }: ChangeProps) {
  const { scope: tenant } = useWorkbench();
  const next = useControl('clock.next', { tenant }, changesDeliveries);
  return (
    <TablePanel
      title="Due next"
      resource={next}
      columns={COLUMNS}
      actions={({ at, id }) => (
        <Action small name="Go there" label={`Go there: ${id}`} run={() => change({ now: at })} />
      )}
      rows={next.value?.due.slice(0, SHOWN)}
      empty={{
        title: 'Nothing is due.',
        command: `tokenctl token create --type token --data '"soon"' --expires-at 2030-01-31T12:00:00Z`,
      }}
    />
  );
}

const SHOWN = 10;
