import type { FetchPage } from '../../../client/pages.js';
import { isObject } from '../../../contract/json.js';
import type { Resource } from '../../../contract/resources.js';
import type { Context } from '../../command.js';
import { toCamelCase } from '../../flags/flag.js';
import type { PageOptions } from '../../flags/globals.js';
import { callResource, resolveId } from '../../lib/lookup.js';
import { printEach } from '../shared/batch.js';
import { EntityNames } from '../shared/entity-names.js';
import { type PageQuery, printList } from '../shared/list.js';
import type { ResourceOptions } from './body.js';
import { viewOf } from './view.js';

type Page = Awaited<ReturnType<FetchPage<object>>>;

const applicationOf = (item: object): string | undefined => {
  const { application } = item as { application?: unknown };
  return isObject(application) ? String(application.id) : undefined;
};

export async function list(resource: Resource, options: ResourceOptions, context: Context): Promise<void> {
  const { client, output } = context;
  const names = new EntityNames(client);
  const hasNames = resource.columns.some(({ format }) => format === 'application');
  const filters = Object.fromEntries(resource.filters.map((name) => [name, options[toCamelCase(name)]]));
  const fetchPage = async (page: PageQuery): Promise<Page> => {
    const response = (await callResource(client, resource, 'list', {
      query: { ...filters, ...page },
    })) as Page;
    if (hasNames && output.isText)
      await names.load(response.data.map((item) => ({ type: 'application', id: applicationOf(item) })));
    return response;
  };
  await printList(
    options as PageOptions,
    fetchPage,
    viewOf(resource, (id) => names.nameOf(id)),
    context,
  );
}

export async function get(resource: Resource, options: ResourceOptions, context: Context): Promise<void> {
  const { noun, collection } = resource;
  const { client } = context;
  const getOne = async (reference: string) =>
    callResource(client, resource, 'get', { path: { id: await resolveId(client, noun, reference) } });
  const references = [options[noun] as string | string[]].flat();
  await printEach(references, getOne, { view: viewOf(resource), what: collection }, context);
}
