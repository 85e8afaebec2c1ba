import type {
  CallbackEvent,
  EmulatorEvent,
  ReactorLogEvent,
} from '../../../../src/contract/control/events.js';
import { formatClockTime, formatDuration } from '../format.js';
import { hrefTo } from '../route.js';

type LineEvent = Extract<EmulatorEvent, { reactor_id: string }>;

const MAX_LINES = 300;

/** Whether an event is a line of the log of reactors. */
export const isLineEvent = (event: EmulatorEvent): event is LineEvent => 'reactor_id' in event;

interface Line {
  level: string;
  source: string;
  text: string;
}

function lineOf(event: LineEvent): Line {
  switch (event.kind) {
    case 'reactor.log':
      return logLine(event);
    case 'reactor.request': {
      const failed = event.status === undefined || event.status >= 400;
      const outcome = event.status ?? event.error ?? 'failed';
      const text = `${event.method} ${event.url} → ${outcome}, ${formatDuration(event.duration_ms)}`;
      return { level: failed ? 'failed' : 'fetch', source: event.reactor_name, text };
    }
    case 'reactor.call': {
      const text = `${event.operation} → ${event.status}, ${formatDuration(event.duration_ms)}`;
      return { level: event.status >= 400 ? 'failed' : 'call', source: event.reactor_name, text };
    }
    case 'callback':
      return callbackLine(event);
  }
}

const logLine = ({ level, message, reactor_name }: ReactorLogEvent): Line => ({
  level,
  source: reactor_name,
  text: message,
});

function callbackLine({ attempt, status, error, delivered, reactor_name }: CallbackEvent): Line {
  const text = `attempt ${attempt}: ${status ?? error ?? 'no response'}${delivered ? ', delivered' : ''}`;
  return { level: delivered ? 'callback' : 'failed', source: reactor_name ?? 'deleted reactor', text };
}

/** What reactors logged, sent and called, and their callbacks; the newest first. */
export function EventLines({ events, label }: { events: readonly EmulatorEvent[]; label: string }) {
  const lines = events.filter(isLineEvent).slice(-MAX_LINES).reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
    <div class="scroll" role="log" aria-live="off" aria-label={label} tabIndex={0}>
      <ol class="log">
        {lines.map((event, index) => {
          const { level, source, text } = lineOf(event);
          const trace = 'trace_id' in event ? event.trace_id : undefined;
          return (
            <li key={lines.length - index}>
              <time class="quiet" dateTime={event.time}>
                {formatClockTime(event.time)}
              </time>
              <span class="level" data-level={level}>
                {level}
              </span>
              <span class="text">
                {trace === undefined ? (
                  <span class="quiet">{source}</span>
                ) : (
                  <a href={hrefTo(['requests', trace])}>{source}</a>
                )}{' '}
                {text}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
