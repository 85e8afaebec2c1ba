import type { Context } from '../../command.js';
import { forEachId, throwFailures, toPage } from '../shared/batch.js';
import { APPLICATION_VIEW } from './view.js';

export async function run({ id: ids }: { id: string[] }, { client, output, signal }: Context): Promise<void> {
  const get = (id: string) => client.call('applications.get', { path: { id } });
  if (ids.length === 1) return output.result(await get(ids[0] as string), APPLICATION_VIEW);
  const { results, failures } = await forEachId(ids, signal, get);
  await output.result(toPage(results), APPLICATION_VIEW);
  throwFailures(failures, ids.length, 'applications');
}
