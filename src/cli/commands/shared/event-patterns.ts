import { EVENT_TYPES, type EventType } from '../../../contract/event-types.js';
import { usageError } from '../../lib/errors.js';

/** Expands `token.*` and `*` to the types of events that they stand for. @throws {CliError} when there are none */
export function expandEvents(patterns: readonly string[]): EventType[] {
  const types = patterns.flatMap((list) => list.split(',')).flatMap((pattern) => matching(pattern.trim()));
  return [...new Set(types)];
}

function matching(pattern: string): EventType[] {
  const prefix = pattern.endsWith('*') ? pattern.slice(0, -1) : undefined;
  const found = EVENT_TYPES.filter(
    (type) => type === pattern || (prefix !== undefined && type.startsWith(prefix)),
  );
  if (found.length > 0) return found;
  throw usageError(
    `--event ${JSON.stringify(pattern)} is not an event type. Types: ${EVENT_TYPES.join(', ')}.`,
  );
}
