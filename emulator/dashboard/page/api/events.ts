import { controlRequest } from '../../../../src/contract/control/endpoints.js';
import type { EmulatorEvent } from '../../../../src/contract/control/events.js';
import { eventDataOf, LIVE_COMMENT } from '../../../../src/contract/control/vocabulary.js';
import { controlHeaders, signOut } from './client.js';

/** Milliseconds before a lost stream is reopened, and between two changes of the log. */
const RETRY_MS = 1_000;
const BATCH_MS = 200;

/** Events that a stream starts with; those that are kept of each kind, of deliveries of each webhook. */
const RECENT = 2_000;
const KEPT = 1_000;

export type ConnectionState = 'connecting' | 'live' | 'lost';

/** @param added the new events; none when the log was read again */
type EventListener = (added: readonly EmulatorEvent[]) => void;

const listeners = new Set<EventListener>();
let log: readonly EmulatorEvent[] = [];
let arrived: EmulatorEvent[] = [];
let timer: number | undefined;

/** Returns the recent events of the emulator, the oldest first. */
export const recentEvents = (): readonly EmulatorEvent[] => log;

/** @returns a function that ends the subscription */
export function subscribe(listener: EventListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Puts what arrived into the log, all at once: each change of it renders the page. */
function publish(isStart: boolean): void {
  timer = undefined;
  const added = arrived;
  arrived = [];
  const reset = added.findLastIndex(({ kind }) => kind === 'reset');
  const before = isStart || reset >= 0 ? [] : log;
  const kept = new Map<string, number>();
  // Kept apart: the attempts of a webhook that always fails would push the others out.
  const isKept = (event: EmulatorEvent) => {
    const source = 'webhook_id' in event ? event.webhook_id : event.kind;
    kept.set(source, (kept.get(source) ?? 0) + 1);
    return (kept.get(source) ?? 0) <= KEPT;
  };
  const events = [...before, ...added.slice(Math.max(reset, 0))];
  log = events.reverse().filter(isKept).reverse();
  for (const listener of listeners) listener(isStart ? [] : added);
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
        await readStream(response.body, () => onState('live'));
      }
    } catch {}
    onState('lost');
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Reads events; the recent ones come first, a comment ends them. */
async function readStream(body: ReadableStream<Uint8Array<ArrayBuffer>>, onStart: () => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  clearTimeout(timer);
  arrived = [];
  let isStart = true;
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = eventDataOf(block);
      if (data !== undefined) arrived.push(JSON.parse(data) as EmulatorEvent);
      else if (isStart && block === LIVE_COMMENT) {
        publish(true);
        onStart();
        isStart = false;
      }
    }
    if (!isStart && arrived.length > 0) timer ??= window.setTimeout(publish, BATCH_MS, false);
  }
}
