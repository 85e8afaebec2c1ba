import { readEvents } from '../../../client/events.js';
import type { Context } from '../../command.js';
import { printable, type Style } from '../../output/style.js';
import { requireRunningState } from './running-emulator.js';

type Event = Record<string, unknown>;

/** How many events the emulator is asked for. */
const RECENT = 1_000;

const PLAIN = { redaction: 'plain' } as const;

/**
 * Prints the recent events that pass, and with `follow` those that come, until Ctrl-C.
 * A table is one line of text per event, JSON of those that come one object per line, each filtered on its own.
 */
export async function printEvents(
  { follow, passes }: { follow: boolean; passes: (event: Event) => boolean },
  context: Context,
): Promise<void> {
  const { output, signal } = context;
  const state = await requireRunningState(context);
  const events = passing(readEvents(state, { recent: RECENT, follow }, signal), passes);
  const { settings } = output;
  const asText = settings.mode === 'table' && settings.jq === undefined;
  if (!asText && !follow) return void (await output.items(events, PLAIN));
  for await (const event of events) {
    if (asText) output.text(eventLine(event, output.style));
    else await output.item(event, PLAIN);
  }
}

async function* passing(events: AsyncIterable<Event>, passes: (event: Event) => boolean) {
  for await (const event of events) if (passes(event)) yield event;
}

function eventLine(event: Event, style: Style): string {
  const time = style.dim(String(event.time ?? ''));
  const text = (value: unknown) => printable(String(value ?? ''));
  switch (event.kind) {
    case 'request':
      return `${time}  ${text(event.status)}  ${text(event.method)} ${text(event.path)}  ${text(event.duration_ms)} ms  ${text(event.trace_id)}`;
    case 'reactor.log':
      return `${time}  ${text(event.level)}  ${text(event.message)}`;
    case 'reactor.request':
      return `${time}  reactor ${text(event.method)} ${text(event.url)}  ${text(event.status ?? event.error)}`;
    case 'callback':
      return `${time}  callback try ${text(event.attempt)}  ${text(event.status ?? 'no answer')}`;
    default:
      return `${time}  ${text(event.kind)}`;
  }
}
