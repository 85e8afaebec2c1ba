import type { Client } from '../../client/client.js';
import { everyItem, type FetchPage } from '../../client/pages.js';
import type { Reactor } from '../../contract/schemas/index.js';
import { UUID_PATTERN } from '../../contract/uuid.js';
import { CliError } from './errors.js';

const UUID = new RegExp(`^${UUID_PATTERN}$`, 'i');

/** Finds all reactors with exactly this name. The filter of the service also matches parts of names. */
export async function findReactorsByName(client: Client, name: string): Promise<Reactor[]> {
  const found: Reactor[] = [];
  const pages = everyItem<Reactor>((page, size) =>
    client.call('reactors.list', { query: { name, page, size } }),
  );
  for await (const reactor of pages) if (reactor.name === name) found.push(reactor);
  return found;
}

/**
 * Finds the reactor with this name; undefined if there is none.
 * @throws {CliError} if several reactors have the name; the error lists their IDs.
 */
export async function findReactor(client: Client, name: string): Promise<Reactor | undefined> {
  const found = await findReactorsByName(client, name);
  if (found.length <= 1) return found[0];
  throw new CliError(
    'failed',
    `${found.length} reactors are named ${JSON.stringify(name)}: ${found.map(({ id }) => id).join(', ')}.`,
    { hint: 'Rename or delete all but one: tokenctl reactor delete <id>' },
  );
}

/**
 * Resolves an ID or exact name to the ID of a reactor.
 * @throws {CliError} if no reactor, or more than one, has the name.
 */
export async function resolveReactorId(client: Client, idOrName: string): Promise<string> {
  if (UUID.test(idOrName)) return idOrName;
  const [first, ...others] = await findReactorsByName(client, idOrName);
  if (!first)
    throw new CliError('not_found', `There is no reactor named ${JSON.stringify(idOrName)}.`, {
      hint: 'List all reactors: tokenctl reactor list',
    });
  if (others.length === 0) return first.id;
  throw new CliError('failed', `Several reactors are named ${JSON.stringify(idOrName)}.`, {
    hint: `Use the ID of one of them: ${[first, ...others].map(({ id }) => id).join(', ')}. Compare them: tokenctl reactor list --wide`,
  });
}

/**
 * Resolves an ID or exact name to the ID of an application.
 * @throws {CliError} if no application, or more than one, has the name.
 */
export function resolveApplicationId(client: Client, idOrName: string): Promise<string> {
  return resolveId('application', idOrName, applicationPages(client));
}

const applicationPages =
  (client: Client): FetchPage<{ id: string; name: string }> =>
  (page, size) =>
    client.call('applications.list', { query: { page, size } });

/** Finds the IDs of all applications with exactly this name. */
export const findApplicationIds = (client: Client, name: string): Promise<string[]> =>
  findIds(name, applicationPages(client));

/** Resolves an ID or exact name to the ID of a webhook. @throws {CliError} if no webhook, or more than one, has the name. */
export function resolveWebhookId(client: Client, idOrName: string): Promise<string> {
  return resolveId('webhook', idOrName, (page, size) =>
    client.call('webhooks.list', { query: { page, size } }),
  );
}

/** Resolves an ID or exact name to the ID of a proxy. @throws {CliError} if no proxy, or more than one, has the name. */
export function resolveProxyId(client: Client, idOrName: string): Promise<string> {
  return resolveId('proxy', idOrName, (page, size) => client.call('proxies.list', { query: { page, size } }));
}

const PLURALS = { application: 'applications', webhook: 'webhooks', proxy: 'proxies' } as const;

async function findIds(
  wanted: string,
  fetchPage: FetchPage<{ id: string; name: string }>,
): Promise<string[]> {
  const found: string[] = [];
  for await (const { id, name } of everyItem(fetchPage)) if (name === wanted) found.push(id);
  return found;
}

/** Resolves the ID or exact name of an item whose list has no filter by name. */
async function resolveId(
  noun: keyof typeof PLURALS,
  idOrName: string,
  fetchPage: FetchPage<{ id: string; name: string }>,
): Promise<string> {
  if (UUID.test(idOrName)) return idOrName.toLowerCase();
  const found = await findIds(idOrName, fetchPage);
  const [id] = found;
  if (id !== undefined && found.length === 1) return id;
  throw new CliError(
    id === undefined ? 'not_found' : 'failed',
    id === undefined
      ? `There is no ${noun} ${JSON.stringify(idOrName)}.`
      : `${found.length} ${PLURALS[noun]} are named ${JSON.stringify(idOrName)}: ${found.join(', ')}.`,
    { hint: `Use the ID: tokenctl ${noun} list${id === undefined ? '' : ' --wide'}` },
  );
}
