import type { Context } from '../../command.js';
import { forEachId, throwFailures, toPage } from '../shared/batch.js';
import { TOKEN_VIEW } from './view.js';

export async function run({ id: ids }: { id: string[] }, context: Context): Promise<void> {
  const { client, output, signal } = context;
  const get = (id: string) => client.call('tokens.get', { path: { id } });
  if (ids.length === 1) return output.result(await get(ids[0] as string), TOKEN_VIEW);
  const { results, failures } = await forEachId(ids, signal, get);
  await output.result(toPage(results), TOKEN_VIEW);
  throwFailures(failures, ids.length, 'tokens');
}
