import { useEffect, useState } from 'preact/hooks';
import type { ClockChange, ClockState } from '../../../../src/contract/control/clock.js';
import { callControl } from '../api/client.js';
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
