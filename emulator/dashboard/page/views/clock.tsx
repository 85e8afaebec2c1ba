import { useState } from 'preact/hooks';
import { Action } from '../components/action.js';
import { TextField } from '../components/fields.js';
import { Form } from '../components/form.js';
import { ScopeSwitch } from '../components/header.js';
import { Page, Panel } from '../components/page.js';
import { Loaded } from '../components/states.js';
import { TimeSlider } from '../components/time-slider.js';
import { formatOffset, formatTime, roundOffset } from '../format.js';
import { type ClockControl, useClock, useNow } from '../hooks/clock.js';
import { useWorkbench } from '../hooks/workbench.js';
import { Expirations } from './expirations.js';

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
        <Panel title="Time">
          <Loaded resource={clock}>{(reading) => <Controls clock={clock} reading={reading} />}</Loaded>
        </Panel>
        <Expirations clock={clock} />
      </div>
    </Page>
  );
}

function Controls({ clock, reading }: { clock: ClockControl; reading: NonNullable<ClockControl['value']> }) {
  const { attempt } = useWorkbench();
  const now = useNow(reading);
  const offset = formatOffset(roundOffset(reading.offset_ms));
  const timestamp = new Date(now).toISOString();
  return (
    <div class="stack">
      <p class="row">
        <time class="clock" dateTime={timestamp}>
          {formatTime(timestamp)} UTC
        </time>
        {reading.frozen && <span class="chip">frozen</span>}
        {offset && <span class="chip">{offset}</span>}
      </p>
      <TimeSlider
        origin={now - reading.offset_ms}
        now={now}
        onTravel={(time) => attempt(() => clock.change({ now: new Date(time).toISOString() }))}
      />
      <div class="row">
        {STEPS.map(([advance, name]) => (
          <Action key={advance} name={name} run={() => clock.change({ advance })} />
        ))}
      </div>
      <div class="row">
        <Action
          name={reading.frozen ? 'Resume' : 'Freeze'}
          pressed={reading.frozen}
          run={() => clock.change({ frozen: !reading.frozen })}
        />
        <Action name="Back to the start" run={() => clock.change({ reset: true })} />
      </div>
      <MoveForm clock={clock} />
    </div>
  );
}

function MoveForm({ clock }: { clock: ClockControl }) {
  const [text, setText] = useState('');
  const { attempt } = useWorkbench();
  const move = () =>
    attempt(() => clock.change(/^[+-]?\d{4}-/.test(text) ? { now: text.trim() } : { advance: text.trim() }));
  return (
    <Form label="Move the clock" submit="Move" onSubmit={move}>
      <TextField
        label="Duration or time"
        value={text}
        onChange={setText}
        placeholder="90m, 1h30m, PT90M or 2030-01-31T12:00Z"
        required
      />
    </Form>
  );
}
