import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { formatClockTime, formatDistance, formatTime } from '../format.js';
import { useClock, useNow } from './clock.js';

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
