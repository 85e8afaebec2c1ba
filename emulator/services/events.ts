import type { ConsoleEntry, OutboundRequest } from '../sandbox/invocation.js';

/** A request that was answered. Never its headers, query or body. */
export interface RequestEvent {
  kind: 'request';
  time: string;
  trace_id: string;
  method: string;
  path: string;
  /** Absent for a path that is no operation of the service. */
  operation?: string;
  status: number;
  duration_ms: number;
  tenant_id?: string;
  application_id?: string;
}

/** A line that a reactor wrote to its console. */
export interface ReactorLogEvent {
  kind: 'reactor.log';
  time: string;
  trace_id: string;
  tenant_id: string;
  reactor_id: string;
  level: ConsoleEntry['level'];
  message: string;
}

/** A request that a reactor made, without headers and bodies. */
export interface ReactorRequestEvent {
  kind: 'reactor.request';
  time: string;
  trace_id: string;
  tenant_id: string;
  reactor_id: string;
  method: OutboundRequest['method'];
  /** Without query and user info. */
  url: string;
  status?: number;
  error?: string;
  duration_ms: number;
}

/** A try to deliver a callback. */
export interface CallbackEvent {
  kind: 'callback';
  time: string;
  tenant_id: string;
  reactor_id: string;
  request_id: string;
  attempt: number;
  /** Absent when there was no answer. */
  status?: number;
  delivered: boolean;
}

/** Something about the emulator itself: its clock, faults, data. */
export interface EmulatorEvent {
  kind: 'clock' | 'faults' | 'reset' | 'snapshot';
  time: string;
}

export type Event = RequestEvent | ReactorLogEvent | ReactorRequestEvent | CallbackEvent | EmulatorEvent;

/** The events of late, bounded, for whoever watches. */
export interface Events {
  emit(event: Event): void;
  /** The newest last. */
  recent(): readonly Event[];
  subscribe(listener: (event: Event) => void): () => void;
  clear(): void;
}

/** How many events are kept. */
const KEPT = 1_000;

export function createEvents(): Events {
  let kept: Event[] = [];
  const listeners = new Set<(event: Event) => void>();
  return {
    emit(event) {
      kept.push(event);
      // Dropped in bulk: shifting one by one would move the whole list for every request.
      if (kept.length >= 2 * KEPT) kept = kept.slice(-KEPT);
      for (const listener of listeners) listener(event);
    },
    recent: () => kept.slice(-KEPT),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    clear() {
      kept = [];
    },
  };
}
