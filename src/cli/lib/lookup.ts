import type { Client } from '../../client/client.js';
import { everyItem, type FetchPage } from '../../client/pages.js';
import { type Noun, RESOURCES, type Resource } from '../../contract/resources.js';
import type { Application } from '../../contract/schemas/index.js';
import { isUuid } from '../../contract/uuid.js';
import { callResource } from './call-resource.js';
import { CliError } from './errors.js';
import { findNearest } from './nearest.js';

interface Named {
  id: string;
  name: string;
}

/** Yields all objects of a resource, or those with exactly this name. */
export async function* listObjects(client: Client, resource: Resource, name?: string): AsyncGenerator<Named> {
  // The filter of the service also matches parts of names.
  const filter = resource.filters.includes('name') ? { name } : {};
  const fetchPage = async (page: number, size: number) =>
    (await callResource(client, resource, 'list', { query: { ...filter, page, size } })) as Awaited<
      ReturnType<FetchPage<Named>>
    >;
  for await (const item of everyItem(fetchPage)) if (name === undefined || item.name === name) yield item;
}

/** Reads all applications. */
export async function readApplications(client: Client): Promise<Application[]> {
  const applications: Application[] = [];
  for await (const one of listObjects(client, RESOURCES.application)) applications.push(one as Application);
  return applications;
}

/** Finds the IDs of all objects with exactly this name. */
export async function findIds(client: Client, noun: Noun, name: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of listObjects(client, RESOURCES[noun], name)) ids.push(id);
  return ids;
}

/**
 * Resolves an ID or exact name to the ID of an object.
 * @throws {CliError} if no object, or more than one, has the name
 */
export async function resolveId(client: Client, noun: Noun, idOrName: string): Promise<string> {
  if (isUuid(idOrName)) return idOrName.toLowerCase();
  const ids = await findIds(client, noun, idOrName);
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

/** Finds the name that a misspelt one most likely stands for; undefined if none of the first ones is similar. */
async function findSimilar(client: Client, noun: Noun, name: string): Promise<string | undefined> {
  const query = { page: 1, size: SUGGESTION_PAGE };
  const { data } = (await callResource(client, RESOURCES[noun], 'list', { query })) as { data: Named[] };
  return findNearest(
    name,
    data.map((one) => one.name),
  );
}

async function missingError(client: Client, noun: Noun, name: string): Promise<CliError> {
  const similar = await findSimilar(client, noun, name).catch(() => undefined);
  const suggestion = similar === undefined ? '' : ` Did you mean ${similar}?`;
  return new CliError('not_found', `There is no ${noun} ${JSON.stringify(name)}.${suggestion}`, {
    hint: `List them all: tokenctl ${noun} list`,
  });
}
