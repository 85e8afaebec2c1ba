import { everyItem } from '../../../../client/pages.js';
import type { Context } from '../../../command.js';
import { resolveId } from '../../../lib/lookup.js';
import type { Column } from '../../../output/table.js';
import { toPage } from '../../shared/batch.js';
import { KEY_VIEW } from './view.js';

const APPLICATION: Column = {
  title: 'APPLICATION',
  field: 'application',
  show: (application) => (application as { name: string }).name,
};

export async function run(
  { application }: { application?: string | undefined },
  { client, output }: Context,
): Promise<void> {
  if (application === undefined) {
    const columns = [APPLICATION, ...KEY_VIEW.columns];
    return output.result(toPage(await keysOfAll(client)), { ...KEY_VIEW, columns });
  }
  const id = await resolveId(client, 'application', application);
  await output.result(toPage(await client.call('applications.keys.list', { path: { id } })), KEY_VIEW);
}

/** Lists the keys of all applications, each with its application. */
async function keysOfAll(client: Context['client']) {
  const found = [];
  const fetchPage = (page: number, size: number) =>
    client.call('applications.list', { query: { page, size } });
  for await (const { id, name, type } of everyItem(fetchPage))
    for (const key of await client.call('applications.keys.list', { path: { id } }))
      found.push({ application: { id, name, type }, ...key });
  return found;
}
