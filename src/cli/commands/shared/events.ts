import { readEvents } from '../../../client/control.js';
import type { EmulatorEvent } from '../../../contract/control/events.js';
import { isUuid } from '../../../contract/uuid.js';
import type { Context } from '../../command.js';
import { escapeControls, type Style } from '../../output/style.js';
import { fold, truncate } from '../../output/text-width.js';
import { showTime } from '../../output/times.js';
import { requireRunningState } from './running-emulator.js';

/** The number of recent events to read: all that the emulator keeps. */
const RECENT = 1_000;

const PLAIN = { redaction: 'plain' } as const;

const SHOWN_AS_TEXT = 20;

export function newestLimit(given: number | undefined, { output }: Context): number {
  return given ?? (output.isText ? SHOWN_AS_TEXT : RECENT);
}

interface EventSelection {
  follow?: boolean | undefined;
  limit?: number;
  tenant?: string | undefined;
  background?: boolean | undefined;
  passes: (event: EmulatorEvent) => boolean;
  convert?: (event: EmulatorEvent) => Promise<EmulatorEvent>;
}

/** Prints recent events, and with `follow` each one as it happens: the JSON modes then print an object per line. */
export async function printEvents(
  {
    follow = false,
    tenant,
    background,
    limit = RECENT,
    passes,
    convert = async (event) => event,
  }: EventSelection,
  context: Context,
): Promise<void> {
  const { output, signal } = context;
  const state = await requireRunningState(context);
  // Which of them are recent is not known of those that follow.
  const recent = follow ? limit : RECENT;
  const read = readEvents(state, { recent, follow, tenant, background }, signal);
  const events = selectEvents(read, { passes, convert });
  const shown = follow ? events : newest(events, limit);
  if (!output.isText && !follow) return void (await output.items(shown, PLAIN));
  let isEmpty = !follow;
  for await (const event of shown) {
    isEmpty = false;
    if (output.isText) output.text(eventLine(event, output.style, output.settings.width));
    else await output.item(event, PLAIN);
  }
  if (isEmpty) output.notice('Nothing recent matches.');
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

const GAP = '  ';

/** Columns that text keeps on the narrowest terminal. */
const MIN_WIDTH = 20;

/** Formats an event as a line. A terminal cuts it, and gets no date of today, no whole UUIDs, and no trace id without room for it. */
function eventLine(event: EmulatorEvent, style: Style, width: number): string {
  const fields = eventFields(event).filter((field) => field !== '');
  const whole = fields.map(escapeControls).join(GAP);
  if (!Number.isFinite(width)) return style.dim(event.time) + GAP + whole;
  const isToday = event.time.slice(0, DATE_LENGTH) === new Date().toISOString().slice(0, DATE_LENGTH);
  const time = isToday ? event.time.slice(DATE_LENGTH + 1, -1) : showTime(event.time);
  const indent = time.length + GAP.length;
  const columns = Math.max(width - indent, MIN_WIDTH);
  const lines =
    event.kind === 'reactor.log' ? fold(whole, columns) : [truncate(shorten(fields, columns), columns)];
  return style.dim(time) + GAP + lines.join(`\n${' '.repeat(indent)}`);
}

const DATE_LENGTH = '2026-01-31'.length;

/** Shortens the ids within fields, and leaves out the last field, an id by itself, if there is no room for it. */
function shorten(fields: readonly string[], columns: number): string {
  const last = fields.at(-1) ?? '';
  const short = fields.map((field) =>
    escapeControls(
      field === last ? field : field.replace(/\b([\da-f]{8})(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, '$1…'),
    ),
  );
  const text = short.join(GAP);
  return isUuid(last) && text.length > columns ? short.slice(0, -1).join(GAP) : text;
}

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
