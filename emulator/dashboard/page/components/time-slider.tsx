import { useEffect, useRef, useState } from 'preact/hooks';
import { formatOffset, formatTime } from '../format.js';
import { Field } from './form.js';

const DAY_MS = 86_400_000;

const SPANS = [
  [String(DAY_MS), '1 day'],
  [String(30 * DAY_MS), '30 days'],
  [String(365 * DAY_MS), '1 year'],
  [String(3_650 * DAY_MS), '10 years'],
] as const;

const STEPS = 240;
/** Milliseconds after the last step of the slider, so that a key that is held moves the clock once. */
const SETTLE_MS = 350;

interface TimeSliderProps {
  /** The left end: the machine's time, in milliseconds since 1970. */
  origin: number;
  now: number;
  onTravel: (time: number) => void;
}

export function TimeSlider({ origin, now, onTravel }: TimeSliderProps) {
  const ahead = Math.max(0, now - origin);
  const [chosenSpan, setSpan] = useState(30 * DAY_MS);
  const span = Math.max(
    chosenSpan,
    ...SPANS.map(([ms]) => Number(ms)).filter((ms) => ms / 10 < ahead && ms <= ahead * 2),
  );
  const [step, setStep] = useState<number | undefined>();
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const shown = step ?? Math.min(STEPS, Math.round((ahead / span) * STEPS));
  const target = origin + (shown / STEPS) * span;
  const text = `${formatTime(new Date(target).toISOString())} UTC`;

  function choose(next: number) {
    setStep(next);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      onTravel(origin + (next / STEPS) * span);
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
          max={STEPS}
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
