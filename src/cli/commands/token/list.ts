import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { parsePairs } from '../shared/input.js';
import { type CursorListOptions, printList, printListByCursor } from '../shared/list.js';
import { TOKEN_VIEW } from './view.js';

interface TokenListOptions extends CursorListOptions {
  id?: string[] | undefined;
  metadata?: string[] | undefined;
  type?: string | undefined;
  container?: string | undefined;
}

export async function run(options: TokenListOptions, context: Context): Promise<void> {
  const { id, type, container } = options;
  const filters = { metadata: parsePairs(options.metadata ?? [], '--metadata'), type, container };
  const { client } = context;
  if (options.cursor !== undefined) {
    if (id !== undefined) throw usageError('--cursor cannot be used with --id.');
    const fetchPage = (page: { start?: string; size?: number }) =>
      client.call('tokens.listByCursor', { query: { ...filters, ...page } });
    return printListByCursor(options, fetchPage, TOKEN_VIEW, context);
  }
  const fetchPage = (page: { page?: number; size?: number }) =>
    client.call('tokens.list', { query: { id, ...filters, ...page } });
  await printList(options, fetchPage, TOKEN_VIEW, context);
}
