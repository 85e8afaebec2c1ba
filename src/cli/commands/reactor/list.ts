import type { Context } from '../../command.js';
import { EntityNames } from '../shared/entity-names.js';
import { type ListOptions, printList } from '../shared/list.js';
import { reactorView } from './view.js';

interface ReactorListOptions extends ListOptions {
  id?: string[] | undefined;
  name?: string | undefined;
}

export async function run(options: ReactorListOptions, context: Context): Promise<void> {
  const { id, name } = options;
  const { client, output } = context;
  const names = new EntityNames(client);
  const fetchPage = async (page: { page?: number; size?: number }) => {
    const response = await client.call('reactors.list', { query: { id, name, ...page } });
    if (output.settings.mode === 'table' && output.settings.jq === undefined)
      await names.load(
        response.data.map((reactor) => ({ type: 'application', id: reactor.application?.id })),
      );
    return response;
  };
  await printList(
    options,
    fetchPage,
    reactorView((application) => names.nameOf(application)),
    context,
  );
}
