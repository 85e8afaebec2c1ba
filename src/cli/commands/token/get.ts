import type { Context } from '../../command.js';
import { printEach } from '../shared/batch.js';
import { TOKEN_VIEW } from './view.js';

export async function run({ id: ids }: { id: string[] }, context: Context): Promise<void> {
  const get = (id: string) => context.client.call('tokens.get', { path: { id } });
  await printEach(ids, get, { view: TOKEN_VIEW, what: 'tokens' }, context);
}
