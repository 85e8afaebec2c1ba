import { DateTime } from 'luxon';
import { LOG_ENTITY_TYPES, PAST } from '../../src/contract/audit-log.js';
import type { LogEntry, OperationRequest } from '../../src/contract/schemas/index.js';
import { validationProblem } from '../problems/problem.js';
import type { Condition } from '../store/condition.js';
import type { LogRecord, Stored } from '../store/records.js';
import type { Handlers } from './context.js';
import { toOffsetLimit, toPage } from './pagination.js';

function serializeLogEntry({ revision: _revision, ...entry }: Stored<LogRecord>): LogEntry {
  const { entity_type: entity, operation } = entry;
  return { ...entry, message: `${entity}${operation === 'list' ? 's' : ''} ${PAST[operation]}` };
}

/** Parses a date to milliseconds since 1970. A date without a time is midnight UTC. */
function parseInstant(name: string, value: string): number {
  const time = DateTime.fromISO(value, { zone: 'utc' });
  if (time.isValid) return time.toMillis();
  throw validationProblem({ [`query.${name}`]: ['must be an ISO 8601 date or date-time'] });
}

type Filters = OperationRequest<'logs.list'>['query'];

const TERMS = ['entity_type', 'entity_id', 'actor_id', 'operation', 'transform'] as const;

function filterConditions({ start_date, end_date, ...filters }: Filters): Condition<'log'>[] {
  const all = TERMS.flatMap((term): Condition<'log'>[] => {
    const is = filters[term];
    return is === undefined ? [] : [{ term, is }];
  });
  if (start_date !== undefined)
    all.push({ range: 'created_at', gte: parseInstant('start_date', start_date) });
  if (end_date !== undefined) all.push({ range: 'created_at', lte: parseInstant('end_date', end_date) });
  return all;
}

function asksForTimesBefore(time: number, { start_date }: Filters): boolean {
  return start_date === undefined || parseInstant('start_date', start_date) < time;
}

export const logHandlers = {
  async 'logs.list'({ query }, call, context) {
    const all = filterConditions(query);
    const { records, total, completeFrom } = await context.store.find('log', {
      tenantId: call.tenant.id,
      ...(all.length > 0 && { where: { all } }),
      ...toOffsetLimit(query),
    });
    const body = toPage(records.map(serializeLogEntry), total, query);
    if (completeFrom === undefined || !asksForTimesBefore(completeFrom, query)) return { status: 200, body };
    const headers = { [context.headers.logCompleteFrom]: new Date(completeFrom).toISOString() };
    return { status: 200, body, headers };
  },
  'logs.entityTypes': async () => ({
    status: 200,
    body: LOG_ENTITY_TYPES.map((value) => ({
      display_name: `${value.charAt(0).toUpperCase()}${value.slice(1).replace('-', ' ')}`,
      value,
    })),
  }),
} satisfies Partial<Handlers>;
