import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/client.js';
import { everyItem, type FetchPage } from '../../client/pages.js';
import { describeLogGap } from '../../contract/audit-log.js';
import { parseDuration } from '../../contract/durations.js';
import { headerNames } from '../../contract/headers.js';
import type { LogEntry, OperationBody, OperationInput } from '../../contract/schemas/index.js';
import type { Context } from '../command.js';
import type { LogOptions } from '../flags/log-flags.js';
import { CliError, usageError } from '../lib/errors.js';
import { resolveId } from '../lib/lookup.js';
import { repeatable } from '../lib/text.js';
import { escapeControls } from '../output/style.js';
import { showTime } from '../output/times.js';
import type { View } from '../output/view.js';
import { EntityNames, type Reference } from './shared/entity-names.js';
import { describeAuditDetails } from './shared/events.js';
import { printList } from './shared/list.js';
import { callControl, targetEmulator } from './shared/running-emulator.js';

/** Columns of the first part of a UUID and `…`: enough to tell entries apart in 80 columns. */
const SHORT_ID_WIDTH = 9;

type Query = NonNullable<OperationInput<'logs.list'>['query']>;

export async function listLog(options: LogOptions, context: Context) {
  const { client, output } = context;
  const readNow = () => readServiceTime(context);
  const filters: Query = {
    entity_type: options.entityType as Query['entity_type'],
    entity_id: options.entityId,
    operation: options.operation as Query['operation'],
    actor_id: options.actor === undefined ? undefined : await resolveActorId(options.actor, client),
    transform: options.transform as Query['transform'],
    start_date: await parseInstant(options.since, '--since', readNow),
    end_date: await parseInstant(options.until, '--until', readNow),
  };
  const names = new EntityNames(client);
  const header = headerNames((await client.connection()).headerPrefix).logCompleteFrom;
  let completeFrom: string | undefined;
  const fetchPage = async (query: Query) => {
    const { headers, body } = await client.send('logs.list', { query: { ...filters, ...query } });
    completeFrom = headers[header.toLowerCase()];
    const response = body as OperationBody<'logs.list'>;
    if (output.isText) await names.load(response.data.flatMap(referencesOf));
    return response;
  };
  let isNoticed = false;
  const noticeGap = () => {
    if (completeFrom === undefined || isNoticed) return;
    isNoticed = true;
    output.notice(describeLogGap(escapeControls(showTime(completeFrom))));
  };
  if (!options.follow) {
    await printList(options, fetchPage, viewOf(names), context);
    noticeGap();
    return;
  }
  if (options.page !== undefined || options.all || options.until !== undefined)
    throw usageError('--follow cannot be used with --page, --all or --until.');
  const view = viewOf(names);
  const print = async (entry: LogEntry) =>
    output.isText ? output.text(lineOf(entry, names)) : output.item(entry, view);
  const fetchFrom = (start: string | undefined) => async (page: number, size: number) => {
    const found = await fetchPage({ page, size, start_date: start ?? filters.start_date });
    // Without a time, the newest entries are asked for.
    if (start !== undefined || options.since !== undefined) noticeGap();
    return found;
  };
  await followLog(fetchFrom, print, context);
}

function viewOf(names: EntityNames): View {
  const item = (show: (entry: LogEntry) => string) => (_: unknown, entry: unknown) => show(entry as LogEntry);
  return {
    redaction: 'plain',
    columns: [
      { title: 'TIME', field: 'created_at', format: 'time', importance: 6 },
      { title: 'ACTOR', field: 'actor_id', show: item((entry) => actorOf(entry, names)), importance: 5 },
      { title: 'OPERATION', field: 'operation', importance: 4 },
      { title: 'ENTITY', field: 'entity_type', min: 11, importance: 2 },
      {
        title: 'ID OR NAME',
        field: 'entity_id',
        show: item((entry) => entityOf(entry, names)),
        min: SHORT_ID_WIDTH,
        importance: 1,
      },
      { title: 'DETAIL', field: 'transform', show: item(describeAuditDetails), importance: 3 },
    ],
    empty: 'No entries.',
  };
}

const referencesOf = ({ actor_type, actor_id, entity_type, entity_id }: LogEntry): Reference[] => [
  { type: actor_type, id: actor_id },
  { type: entity_type, id: entity_id },
];

const actorOf = ({ actor_id, actor_type }: LogEntry, names: EntityNames): string =>
  actor_id === undefined ? actor_type : names.nameOf(actor_id);

const entityOf = ({ entity_id }: LogEntry, names: EntityNames): string =>
  entity_id === undefined ? '' : names.nameOf(entity_id);

function lineOf(entry: LogEntry, names: EntityNames): string {
  const { created_at, operation, entity_type } = entry;
  const parts = [
    actorOf(entry, names),
    operation,
    entity_type,
    entityOf(entry, names),
    describeAuditDetails(entry),
  ];
  return [showTime(created_at), ...parts].filter(Boolean).map(escapeControls).join('  ');
}

export async function listEntityTypes(_options: object, { client, output }: Context) {
  await output.plainList(await client.call('logs.entityTypes'), {
    columns: [
      { title: 'TYPE', field: 'value' },
      { title: 'NAME', field: 'display_name' },
    ],
  });
}

const INTERVAL_MS = 1_000;
const FIRST = 20;

/** Prints the last entries, the oldest first, and then new ones as they are written, until Ctrl-C. */
async function followLog(
  fetchFrom: (start: string | undefined) => FetchPage<LogEntry>,
  print: (entry: LogEntry) => Promise<void>,
  { signal }: Context,
): Promise<void> {
  let printed = new Set<string>();
  let last: string | undefined;
  for (;;) {
    const limit = last === undefined ? { limit: FIRST } : {};
    const found: LogEntry[] = [];
    for await (const entry of everyItem(fetchFrom(last), limit)) found.unshift(entry);
    for (const entry of found) if (!printed.has(entry.id)) await print(entry);
    // The next request starts at the time of the last entry, which others may share.
    if (found.length > 0) printed = new Set(found.map(({ id }) => id));
    last = found.at(-1)?.created_at ?? last;
    await sleep(INTERVAL_MS, undefined, { signal });
  }
}

/** Resolves an id, or the exact name of an application or reactor, to the id that the audit log names. */
async function resolveActorId(idOrName: string, client: Client): Promise<string> {
  for (const noun of ['application', 'reactor'] as const) {
    try {
      return await resolveId(client, noun, idOrName);
    } catch (error) {
      if (!(error instanceof CliError) || error.failure.category !== 'not_found') throw error;
    }
  }
  throw new CliError('not_found', `There is no application or reactor named ${JSON.stringify(idOrName)}.`, {
    hint: 'List them: tokenctl application list, tokenctl reactor list',
  });
}

const DAY_MS = 86_400_000;

const DAYS_AGO: Readonly<Record<string, number>> = { today: 0, yesterday: 1 };

/** Parses a point in time: ISO 8601, a duration before now (`24h`, `7d`), `today` or `yesterday` (midnight UTC). */
async function parseInstant(
  text: string | undefined,
  flag: string,
  readNow: () => Promise<number>,
): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const days = DAYS_AGO[text.toLowerCase()];
  if (days !== undefined) return toIso(Math.floor((await readNow()) / DAY_MS) * DAY_MS - days * DAY_MS);
  const ago = parseDuration(text);
  if (ago !== undefined && ago >= 0) return toIso((await readNow()) - ago);
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw usageError(
    `${flag} must be a time such as 2026-01-31T12:00:00Z, today, yesterday, or how long ago, such as 24h or 7d, not ${repeatable(text)}.`,
  );
}

const toIso = (ms: number): string => new Date(ms).toISOString();

/** Returns the time by which the service makes timestamps, in milliseconds: the clock of an emulator can be moved. */
async function readServiceTime(context: Context): Promise<number> {
  if (!(await targetEmulator(context))) return Date.now();
  const { now } = await callControl(context, 'clock.get');
  return Date.parse(now);
}
