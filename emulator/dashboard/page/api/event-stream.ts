import { CONTROL_PREFIX, controlEndpoints } from '../../../../src/contract/control/endpoints.js';
import type { EmulatorEvent } from '../../../../src/contract/control/events.js';
import { eventDataOf } from '../../../../src/contract/control/vocabulary.js';
import { controlHeaders, SignInError } from './control-client.js';

/** Milliseconds before a lost stream is reopened: the first delay, which doubles up to the second. */
const RETRY_MS = [500, 8_000] as const;

/** Events that a stream starts with. */
const RECENT = 500;

export type ConnectionState = 'connecting' | 'live' | 'lost';

interface Listener {
  onEvents: (events: EmulatorEvent[]) => void;
  /** The first events after `live` are the recent ones. */
  onState: (state: ConnectionState) => void;
}

/** Follows the events of the emulator, and reopens a stream that ends. @throws SignInError */
export async function followEvents({ onEvents, onState }: Listener): Promise<never> {
  let delay: number = RETRY_MS[0];
  for (;;) {
    try {
      const response = await fetch(`${CONTROL_PREFIX}${controlEndpoints.events.path}?recent=${RECENT}`, {
        headers: controlHeaders(),
      });
      if (response.status === 401) throw new SignInError('The control token is not accepted.');
      if (response.ok && response.body) {
        delay = RETRY_MS[0];
        onState('live');
        await readStream(response.body, onEvents);
      }
    } catch (error) {
      if (error instanceof SignInError) throw error;
    }
    onState('lost');
    await new Promise((resolve) => setTimeout(resolve, delay));
    delay = Math.min(delay * 2, RETRY_MS[1]);
  }
}

async function readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEvents: Listener['onEvents'],
): Promise<void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    const events = blocks.flatMap((block) => {
      const data = eventDataOf(block);
      return data === undefined ? [] : [JSON.parse(data) as EmulatorEvent];
    });
    if (events.length > 0) onEvents(events);
  }
}
