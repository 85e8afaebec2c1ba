import { type Client, inBackground } from '../../client/client.js';
import { everyItem, type FetchPage } from '../../client/pages.js';
import { didYouMean } from '../../contract/nearest.js';
import { operationOf } from '../../contract/operations.js';
import { type Noun, RESOURCES, type Resource, type Verb } from '../../contract/resources.js';
import type { Application } from '../../contract/schemas/index.js';
import { isUuid } from '../../contract/uuid.js';
import { CliError } from './errors.js';
import { toFailure } from './to-failure.js';

export interface Named {
  id: string;
  name: string;
}

/** Calls an operation of a resource. The service validates what the command line cannot. */
export function callResource(
  client: Client,
  resource: Resource,
  verb: Verb,
  input: { path?: { id: string }; query?: object; body?: object },
): Promise<unknown> {
  // The compiler cannot relate the input to an operation that only a running program knows.
  return client.call(operationOf(resource, verb), input as never);
}

/** Yields all objects of a resource, or those with exactly this name. */
export async function* listResource(client: Client, resource: Resource, name?: string) {
  // The filter of the service also matches parts of names.
  const filter = resource.filters.includes('name') ? { name } : {};
  const fetchPage = async (page: number, size: number) =>
    (await callResource(client, resource, 'list', { query: { ...filter, page, size } })) as Awaited<
      ReturnType<FetchPage<Named>>
    >;
  for await (const item of everyItem(fetchPage)) if (name === undefined || item.name === name) yield item;
}

export async function readApplications(client: Client): Promise<Application[]> {
  const applications: Application[] = [];
  for await (const one of listResource(client, RESOURCES.application)) applications.push(one as Application);
  return applications;
}

export async function findIds(client: Client, noun: Noun, name: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of listResource(client, RESOURCES[noun], name)) ids.push(id);
  return ids;
}

export async function resolveId(client: Client, noun: Noun, idOrName: string): Promise<string> {
  if (isUuid(idOrName)) return idOrName.toLowerCase();
  const ids = await findIds(client, noun, idOrName).catch((error) => {
    const failure = toFailure(error);
    if (failure.category !== 'forbidden') throw error;
    const hint = `A ${noun} is found by its name with this permission. Use its ID instead.`;
    throw new CliError(failure.category, failure.detail, { ...failure, hint });
  });
  const [id] = ids;
  if (id === undefined) throw await missingError(client, noun, idOrName);
  if (ids.length === 1) return id;
  throw new CliError(
    'failed',
    `${ids.length} ${RESOURCES[noun].collection} are named ${JSON.stringify(idOrName)}: ${ids.join(', ')}.`,
    { hint: `Use the ID: tokenctl ${noun} list --wide` },
  );
}

/** Objects among which a similar name is looked for. */
const SUGGESTION_PAGE = 100;

async function missingError(client: Client, noun: Noun, name: string): Promise<CliError> {
  const query = { page: 1, size: SUGGESTION_PAGE };
  const suggestions = callResource(inBackground(client), RESOURCES[noun], 'list', { query });
  const list = (await suggestions.catch(() => undefined)) as { data: Named[] } | undefined;
  const names = list?.data.map((one) => one.name) ?? [];
  const detail = `There is no ${noun} ${JSON.stringify(name)}.${didYouMean(name, names)}`;
  const hint =
    list?.data.length === 0
      ? `There are none yet. See: tokenctl ${noun} create --help`
      : `List them all: tokenctl ${noun} list`;
  return new CliError('not_found', detail, { hint });
}
