import { isObject } from '../../../contract/json.js';
import { TOKEN_FIELDS } from '../../../contract/token-fields.js';
import type { TokenType } from '../../../contract/token-types.js';
import type { Context } from '../../command.js';
import type { CursorOptions } from '../../flags/globals.js';
import type { FilterOptions } from '../../flags/token-flags.js';
import { usageError } from '../../lib/errors.js';
import { PLACEHOLDER } from '../../lib/placeholder.js';
import { cellText } from '../../output/table.js';
import type { View } from '../../output/view.js';
import { printEach } from '../shared/batch.js';
import { parsePairs } from '../shared/input.js';
import { type CursorQuery, type PageQuery, printList, printListByCursor } from '../shared/list.js';

export async function getTokens({ id: ids }: { id: string[] }, context: Context): Promise<void> {
  const get = (id: string) => context.client.call('tokens.get', { path: { id } });
  await printEach(ids, get, { view: TOKEN_VIEW, what: 'tokens' }, context);
}

export async function listTokens(options: FilterOptions & CursorOptions, context: Context): Promise<void> {
  const { id, type, container } = options;
  const filters = { metadata: parsePairs(options.metadata ?? [], '--metadata'), type, container };
  const { client } = context;
  if (options.cursor !== undefined) {
    if (id !== undefined) throw usageError('--cursor cannot be used with --id.');
    const fetchPage = (page: CursorQuery) =>
      client.call('tokens.listByCursor', { query: { ...filters, ...page } });
    return printListByCursor(options, fetchPage, TOKEN_VIEW, context);
  }
  const fetchPage = (page: PageQuery) => client.call('tokens.list', { query: { id, ...filters, ...page } });
  await printList(options, fetchPage, TOKEN_VIEW, context);
}

export async function searchTokens(
  options: CursorOptions & { query: string | undefined },
  context: Context,
): Promise<void> {
  const { client } = context;
  const query = options.query === undefined ? {} : { query: options.query };
  if (options.cursor !== undefined) {
    const fetchPage = (page: CursorQuery) =>
      client.call('tokens.searchByCursor', { body: { ...query, ...page } });
    return printListByCursor(options, fetchPage, TOKEN_VIEW, context);
  }
  const fetchPage = (page: PageQuery) => client.call('tokens.search', { body: { ...query, ...page } });
  await printList(options, fetchPage, TOKEN_VIEW, context);
}

const DATA_WIDTH = 28;

export const TOKEN_VIEW: View = {
  redaction: 'tokens',
  columns: [
    { title: 'ID', field: 'id', format: 'id', importance: 5 },
    { title: 'TYPE', field: 'type', importance: 4 },
    { title: 'DATA', field: 'data', show: showData, min: DATA_WIDTH, importance: 3 },
    { title: 'CONTAINERS', field: 'containers', format: 'words' },
    { title: 'METADATA', field: 'metadata', show: showMetadata, min: 16, importance: 1 },
    { title: 'CREATED', field: 'created_at', format: 'time', importance: 2 },
  ],
  empty: 'No tokens.',
};

/** Formats the data of a card or bank account as its values, so that the last digits of its number are not cut. */
function showData(data: unknown, item: unknown): string {
  // Left out of a response: the token has no mask, or the key may not read it.
  if (data === undefined) return PLACEHOLDER;
  const { type } = item as { type: TokenType };
  const values = isObject(data) && TOKEN_FIELDS[type] ? Object.values(data) : [data];
  return values.map(cellText).join(' ');
}

function showMetadata(metadata: unknown): string {
  return Object.entries((metadata ?? {}) as Record<string, string>)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}
