import type { ClockChange } from '../../../../src/contract/control/clock.js';
import type { Token } from '../../../../src/contract/schemas/index.js';
import { Form } from '../components/form.js';
import { ScopeSwitch } from '../components/frame.js';
import { Page, Panel } from '../components/page.js';
import { type Column, Table } from '../components/table.js';
import { Action, Id, Time } from '../components/text.js';
import { TimeSlider } from '../components/time-slider.js';
import { formatOffset, formatTime, roundOffset } from '../format.js';
import { type ClockControl, useClock, useNow } from '../hooks/clock.js';
import { useControl, useWorkbench } from '../hooks/emulator.js';
import { hrefTo } from '../route.js';

const STEPS = [
  ['1m', '+1 min'],
  ['1h', '+1 h'],
  ['1d', '+1 day'],
  ['30d', '+30 days'],
] as const;

/** Time travel: everything that expires or is due uses this clock. */
export function Clock() {
  const clock = useClock();
  return (
    <Page
      title="Clock"
      actions={<ScopeSwitch />}
      summary="Tokens expire, webhooks are retried and idempotency keys are forgotten by it. Moving it runs what becomes due."
    >
      <div class="columns even">
        <Panel title="Time" resource={clock}>
          {(reading) => <Controls clock={clock} reading={reading} />}
        </Panel>
        <Expirations change={clock.change} />
      </div>
    </Page>
  );
}

type Reading = NonNullable<ClockControl['value']>;

function Controls({ clock: { change }, reading }: { clock: ClockControl; reading: Reading }) {
  const { attempt } = useWorkbench();
  const now = useNow(reading);
  const offset = formatOffset(roundOffset(reading.offset_ms));
  const timestamp = new Date(now).toISOString();
  const move = async ({ text }: { text: string }) =>
    attempt(() => change(/^[+-]?\d{4}-/.test(text) ? { now: text.trim() } : { advance: text.trim() }));
  return (
    <div class="stack">
      <p class="row">
        <time class="clock" dateTime={timestamp}>
          {formatTime(timestamp)} UTC
        </time>
        {reading.frozen && <span class="badge">frozen</span>}
        {offset && <span class="badge">{offset}</span>}
      </p>
      <TimeSlider
        origin={now - reading.offset_ms}
        now={now}
        onTravel={(time) => attempt(() => change({ now: new Date(time).toISOString() }))}
      />
      <div class="row">
        {STEPS.map(([advance, name]) => (
          <Action key={advance} name={name} run={() => change({ advance })} />
        ))}
      </div>
      <div class="row">
        <Action
          name={reading.frozen ? 'Resume' : 'Freeze'}
          pressed={reading.frozen}
          run={() => change({ frozen: !reading.frozen })}
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

/** Tokens that are looked at, the newest. */
const LOOKED_AT = 100;
const SHOWN = 10;

type ExpiringToken = Token & { expires_at: string };
const expires = (token: Token): token is ExpiringToken => token.expires_at !== undefined;

const EXPIRATION_COLUMNS: readonly Column<ExpiringToken>[] = [
  ['Token', 'wide', ({ id }) => <Id value={id} href={hrefTo(['tokens', id])} />],
  ['Expires', 'fit', ({ expires_at }) => <Time value={expires_at} />],
];

function Expirations({ change }: { change: (change: ClockChange) => Promise<void> }) {
  const { tenant } = useWorkbench();
  const tokens = useControl('tenants.tokens', { path: { id: tenant.id }, query: { size: LOOKED_AT } });
  return (
    <Panel title="Expires next" chip={`of the newest ${LOOKED_AT}`} resource={tokens}>
      {({ data }) => (
        <Table
          label="Expires next"
          columns={EXPIRATION_COLUMNS}
          actions={({ id, expires_at }) => (
            <Action
              small
              name="Go there"
              label={`Go there: expiry of ${id}`}
              run={() => change({ now: new Date(Date.parse(expires_at) + 1_000).toISOString() })}
            />
          )}
          rows={data
            .filter(expires)
            .sort((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at))
            .slice(0, SHOWN)}
          empty={{
            title: 'No token expires.',
            command: `tokenctl token create --type token --data '"soon"' --expires-at 2030-01-31T12:00:00Z`,
          }}
        />
      )}
    </Panel>
  );
}
