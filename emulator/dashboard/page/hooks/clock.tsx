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

const toUtc: TimeFormat = (timestamp, isShort) => (isShort ? formatClockTime : formatTime)(timestamp);

/** The Swedish form is that of ISO 8601. */
const toLocal: TimeFormat = (timestamp, isShort) =>
  new Date(timestamp).toLocaleString('sv').slice(isShort ? '2026-01-31 '.length : 0);

const TimeFormatContext = createContext(toUtc);

export const useTimeFormat = (): TimeFormat => useContext(TimeFormatContext);

interface TimesProps {
  /** A distance from the emulator's time, UTC, or the time zone of the browser. */
  style: 'relative' | 'UTC' | 'local';
  children: ComponentChildren;
}

/** Sets how the times in it are shown. */
export function Times({ style, children }: TimesProps) {
  if (style === 'relative') return <RelativeTimes>{children}</RelativeTimes>;
  const format = style === 'local' ? toLocal : toUtc;
  return <TimeFormatContext.Provider value={format}>{children}</TimeFormatContext.Provider>;
}

function RelativeTimes({ children }: Pick<TimesProps, 'children'>) {
  const { value } = useClock();
  const now = useNow(value ?? { now: new Date().toISOString(), frozen: false, readAt: performance.now() });
  const format: TimeFormat = (timestamp) => formatDistance(Date.parse(timestamp) - now);
  return <TimeFormatContext.Provider value={format}>{children}</TimeFormatContext.Provider>;
}
