import { readEvents } from '../../../client/control.js';
import type { EmulatorEvent } from '../../../contract/control/events.js';
import type { Context } from '../../command.js';
import { escapeControls, type Style } from '../../output/style.js';
import { fold } from '../../output/text-width.js';
import { requireRunningState } from './running-emulator.js';

/** The number of recent events to read: all that the emulator keeps. */
const RECENT = 1_000;

const PLAIN = { redaction: 'plain' } as const;

/** Events that are shown as text unless a flag says how many. */
const SHOWN_AS_TEXT = 20;

/** Returns how many of the newest events to show. Programs get all that there are. @param given by a flag */
export function newestLimit(given: number | undefined, { output }: Context): number {
  return given ?? (output.isText ? SHOWN_AS_TEXT : RECENT);
}

interface EventSelection {
  follow: boolean;
  /** The most recent events to show before those that follow. */
  limit?: number;
  /** Only events of this tenant. */
  tenant?: string | undefined;
  passes: (event: EmulatorEvent) => boolean;
  /** Changes what is printed of an event. */
  convert?: (event: EmulatorEvent) => Promise<EmulatorEvent>;
}

/**
 * Prints the recent events that pass the filter. With `follow` it continues with each one as it happens, until Ctrl-C.
 * Table mode prints one line of text per event. With `follow`, the JSON modes print one object per line and `--jq`
 * filters each event by itself.
 */
export async function printEvents(
  { follow, tenant, limit = RECENT, passes, convert = async (event) => event }: EventSelection,
  context: Context,
): Promise<void> {
  const { output, signal } = context;
  const state = await requireRunningState(context);
  // Which of them are recent is not known of those that follow.
  const recent = follow ? limit : RECENT;
  const events = selectEvents(readEvents(state, { recent, follow, tenant }, signal), { passes, convert });
  const shown = follow ? events : newest(events, limit);
  if (!output.isText && !follow) return void (await output.items(shown, PLAIN));
  for await (const event of shown) {
    if (output.isText) output.text(eventLine(event, output.style, output.settings.width));
    else await output.item(event, PLAIN);
  }
}

async function* newest<Item>(items: AsyncIterable<Item>, limit: number): AsyncGenerator<Item> {
  const kept: Item[] = [];
  for await (const item of items) {
    kept.push(item);
    if (kept.length > limit) kept.shift();
  }
  yield* kept;
}

async function* selectEvents(
  events: AsyncIterable<EmulatorEvent>,
  { passes, convert }: Required<Pick<EventSelection, 'passes' | 'convert'>>,
) {
  for await (const event of events) if (passes(event)) yield await convert(event);
}

/** Between two fields of a line. */
const GAP = '  ';

/** Columns that text keeps on the narrowest terminal. */
const MIN_WIDTH = 20;

/** Formats an event as a line of text, which continues below its beginning where the terminal is narrower. */
function eventLine(event: EmulatorEvent, style: Style, width: number): string {
  const fields = eventFields(event).filter((field) => field !== '');
  const text = fields.map(escapeControls).join(GAP);
  const indent = event.time.length + GAP.length;
  const [first = '', ...more] = fold(text, Math.max(width - indent, MIN_WIDTH));
  return [style.dim(event.time) + GAP + first, ...more.map((line) => ' '.repeat(indent) + line)].join('\n');
}

/** What happened and who did it, in this order; empty fields are left out. */
function eventFields(event: EmulatorEvent): string[] {
  switch (event.kind) {
    case 'request': {
      const { status, method, path, application_name = '', error = '', duration_ms, trace_id } = event;
      const what = [`${status}`, `${method} ${path}`, application_name, describeAuditDetails(event), error];
      return [...what, `${duration_ms} ms`, trace_id];
    }
    case 'reactor.log':
      return [event.reactor_name, event.level, event.message];
    case 'reactor.request': {
      const { reactor_name, method, url, status, error = '' } = event;
      return [reactor_name, `${method} ${url}`, status === undefined ? error : `${status}`];
    }
    case 'reactor.call': {
      const { reactor_name, operation, status, duration_ms } = event;
      return [reactor_name, operation, `${status}`, describeAuditDetails(event), `${duration_ms} ms`];
    }
    case 'webhook':
      return [
        `${event.event_type} attempt ${event.attempt}`,
        `${event.status ?? event.error ?? 'no response'}`,
        event.event_id,
      ];
    case 'callback':
      return [
        event.reactor_name ?? event.reactor_id,
        `callback attempt ${event.attempt}`,
        `${event.status ?? event.error ?? 'no response'}`,
      ];
    default:
      return [event.kind];
  }
}

/** Describes how data was shown, or the fields that changed: `mask; changed metadata`. */
export function describeAuditDetails({
  transform,
  changed,
}: {
  transform?: string | undefined;
  changed?: string[] | undefined;
}): string {
  return [transform, changed?.length && `changed ${changed.join(', ')}`].filter(Boolean).join('; ');
}
