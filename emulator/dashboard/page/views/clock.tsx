import { useEffect, useRef, useState } from 'preact/hooks';
import type { AnyToken } from '../../../../src/contract/schemas/index.js';
import { Field, Form } from '../components/form.js';
import { ScopeSwitch } from '../components/frame.js';
import { Page, Panel } from '../components/page.js';
import { type Column, Table } from '../components/table.js';
import { Action, Id, Time } from '../components/text.js';
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
type Change = ClockControl['change'];

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
      <TimeSlider now={now} offset_ms={reading.offset_ms} change={change} />
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

const DAY_MS = 86_400_000;

const SPANS = [
  [String(DAY_MS), '1 day'],
  [String(30 * DAY_MS), '30 days'],
  [String(365 * DAY_MS), '1 year'],
  [String(3_650 * DAY_MS), '10 years'],
] as const;

const SLIDER_STEPS = 240;
/** Milliseconds after the last step of the slider, so that a key that is held moves the clock once. */
const SETTLE_MS = 350;

/** Moves the clock between the machine's time and a span ahead of it. */
function TimeSlider({ now, offset_ms, change }: { now: number; offset_ms: number; change: Change }) {
  const { attempt } = useWorkbench();
  const origin = now - offset_ms;
  const ahead = Math.max(0, offset_ms);
  const [chosenSpan, setSpan] = useState(30 * DAY_MS);
  const span = Math.max(
    chosenSpan,
    ...SPANS.map(([ms]) => Number(ms)).filter((ms) => ms / 10 < ahead && ms <= ahead * 2),
  );
  const [step, setStep] = useState<number | undefined>();
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const shown = step ?? Math.min(SLIDER_STEPS, Math.round((ahead / span) * SLIDER_STEPS));
  const timeAt = (one: number) => new Date(origin + (one / SLIDER_STEPS) * span).toISOString();
  const text = `${formatTime(timeAt(shown))} UTC`;

  function choose(next: number) {
    setStep(next);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      attempt(() => change({ now: timeAt(next) }));
      setStep(undefined);
    }, SETTLE_MS);
  }

  return (
    <div class="stack">
      <label>
        <span>Travel in time</span>
        <input
          type="range"
          min={0}
          max={SLIDER_STEPS}
          value={shown}
          aria-valuetext={text}
          onInput={({ currentTarget }) => choose(currentTarget.valueAsNumber)}
        />
      </label>
      <p class="head quiet">
        <span>machine's time</span>
        <output>{step === undefined ? '' : text}</output>
        <span>{formatOffset(span)}</span>
      </p>
      <Field
        label="Reach of the slider"
        value={String(span)}
        options={SPANS}
        onChange={(value) => setSpan(Number(value))}
      />
    </div>
  );
}

/** Tokens that are looked at, the newest. */
const LOOKED_AT = 100;
const SHOWN = 10;

type ExpiringToken = AnyToken & { expires_at: string };
const expires = (token: AnyToken): token is ExpiringToken => token.expires_at !== undefined;

const EXPIRATION_COLUMNS: readonly Column<ExpiringToken>[] = [
  ['Token', 'wide', ({ id }) => <Id value={id} href={hrefTo(['tokens', id])} />],
  ['Expires', 'fit', ({ expires_at }) => <Time value={expires_at} />],
];

function Expirations({ change }: { change: Change }) {
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
