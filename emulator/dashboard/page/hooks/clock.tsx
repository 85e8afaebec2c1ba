import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { ClockChange, ClockState } from '../../../../src/contract/control/clock.js';
import { callControl } from '../api/client.js';
import { formatClockTime, formatDistance, formatTime } from '../format.js';
import { useResource, useWorkbench } from './emulator.js';

const TICK_MS = 1_000;

/** How long a change waits for what becomes due to be delivered; the rest arrives as events. */
const WAIT_MS = 1_000;

interface ClockReading extends ClockState {
  /** When it was read, by `performance.now()`. */
  readAt: number;
}

export type ClockControl = ReturnType<typeof useClock>;

export function useClock() {
  const { scope } = useWorkbench();
  const clock = useResource<ClockReading>(
    async () => ({ ...(await callControl('clock.get', { tenant: scope })), readAt: performance.now() }),
    [scope],
    ({ kind }) => kind === 'clock' || kind === 'reset',
  );
  const change = async (body: ClockChange) => {
    await callControl('clock.change', { tenant: scope, body: { ...body, wait_ms: WAIT_MS } });
    clock.reload();
  };
  return { ...clock, change };
}

/** The emulator's time in milliseconds since 1970. It renders every second unless the clock is frozen. */
export function useNow({ now, frozen, readAt }: Pick<ClockReading, 'now' | 'frozen' | 'readAt'>): number {
  const [, render] = useState(0);
  useEffect(() => {
    if (frozen) return;
    const timer = setInterval(() => render((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [frozen]);
  return Date.parse(now) + (frozen ? 0 : performance.now() - readAt);
}

/** @param isShort without the date, where that is possible */
type TimeFormat = (timestamp: string, isShort: boolean) => string;

const FORMATS: Readonly<Record<string, TimeFormat>> = {
  UTC: (timestamp, isShort) => (isShort ? formatClockTime : formatTime)(timestamp),
  // The Swedish form is that of ISO 8601.
  local: (timestamp, isShort) =>
    new Date(timestamp).toLocaleString('sv').slice(isShort ? '2026-01-31 '.length : 0),
};

const TimeFormatContext = createContext<TimeFormat>((timestamp) => timestamp);

export const useTimeFormat = (): TimeFormat => useContext(TimeFormatContext);

/** Sets how the times in it are shown: as a distance from the emulator's time, in UTC, or in the time zone of the browser. */
export function Times({ style, children }: { style: string; children: ComponentChildren }) {
  const { value } = useClock();
  const now = useNow(value ?? { now: new Date().toISOString(), frozen: true, readAt: 0 });
  const toDistance: TimeFormat = (timestamp) => formatDistance(Date.parse(timestamp) - now);
  return (
    <TimeFormatContext.Provider value={FORMATS[style] ?? toDistance}>{children}</TimeFormatContext.Provider>
  );
}
