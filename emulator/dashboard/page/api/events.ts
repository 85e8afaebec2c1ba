import { controlRequest } from '../../../../src/contract/control/endpoints.js';
import type { EmulatorEvent } from '../../../../src/contract/control/events.js';
import { eventDataOf } from '../../../../src/contract/control/vocabulary.js';
import { controlHeaders, signOut } from './client.js';

/** Milliseconds before a lost stream is reopened. */
const RETRY_MS = 1_000;

/** Events that a stream starts with; those that are kept of each kind, of deliveries of each webhook. */
const RECENT = 2_000;
const KEPT = 1_000;

export type ConnectionState = 'connecting' | 'live' | 'lost';

/** @param added the new events; none when the log was cleared */
type EventListener = (added: readonly EmulatorEvent[]) => void;

const listeners = new Set<EventListener>();
let log: readonly EmulatorEvent[] = [];

/** Returns the recent events of the emulator, the oldest first. */
export const recentEvents = (): readonly EmulatorEvent[] => log;

/** @returns a function that ends the subscription */
export function subscribe(listener: EventListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function setLog(events: readonly EmulatorEvent[], added: readonly EmulatorEvent[]): void {
  const kept = new Map<string, number>();
  // Kept apart: the attempts of a webhook that always fails would push the others out.
  const isKept = (event: EmulatorEvent) => {
    const source = 'webhook_id' in event ? event.webhook_id : event.kind;
    kept.set(source, (kept.get(source) ?? 0) + 1);
    return (kept.get(source) ?? 0) <= KEPT;
  };
  log = events.toReversed().filter(isKept).reverse();
  for (const listener of listeners) listener(added);
}

function addEvents(events: readonly EmulatorEvent[]): void {
  const reset = events.findLastIndex(({ kind }) => kind === 'reset');
  setLog(reset < 0 ? [...log, ...events] : events.slice(reset), events);
}

/** Follows the events of the emulator, and reopens a stream that ends, until the control token is not accepted or the page left. */
export async function followEvents(
  onState: (state: ConnectionState) => void,
  left: AbortSignal,
): Promise<void> {
  while (!left.aborted) {
    try {
      const { path } = controlRequest('events', { query: { recent: RECENT } });
      const response = await fetch(path, { headers: controlHeaders(), signal: left });
      if (response.status === 401) return signOut();
      if (response.ok && response.body) {
        // The stream starts with the recent events again.
        setLog([], []);
        onState('live');
        await readStream(response.body);
      }
    } catch {}
    onState('lost');
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function readStream(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    const events = blocks.flatMap((block) => {
      const data = eventDataOf(block);
      return data === undefined ? [] : [JSON.parse(data) as EmulatorEvent];
    });
    if (events.length > 0) addEvents(events);
  }
}
