import type { Client } from '../../../client/client.js';
import { everyItem } from '../../../client/pages.js';
import type { Application, Reactor } from '../../../contract/schemas/index.js';
import { CliError } from '../../lib/errors.js';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The reactors of exactly this name; the service's own filter also finds parts of names. */
export async function reactorsNamed(client: Client, name: string): Promise<Reactor[]> {
  const found: Reactor[] = [];
  const pages = everyItem<Reactor>((page, size) =>
    client.call('reactors.list', { query: { name, page, size } }),
  );
  for await (const reactor of pages) if (reactor.name === name) found.push(reactor);
  return found;
}

/**
 * The reactor of this name, if there is one.
 * @throws {CliError} when there are several: which one is meant, only their ids can say.
 */
export async function findReactor(client: Client, name: string): Promise<Reactor | undefined> {
  const found = await reactorsNamed(client, name);
  if (found.length <= 1) return found[0];
  throw new CliError(
    'failed',
    `${found.length} reactors are named ${JSON.stringify(name)}: ${found.map(({ id }) => id).join(', ')}.`,
    { hint: 'Rename or delete all but one: tokenctl reactor delete <id>.' },
  );
}

/**
 * The id of a reactor given by id or exact name.
 * @throws {CliError} when no reactor, or more than one, has the name.
 */
export async function reactorId(client: Client, idOrName: string): Promise<string> {
  if (UUID.test(idOrName)) return idOrName;
  const [first, ...others] = await reactorsNamed(client, idOrName);
  if (!first)
    throw new CliError('not_found', `There is no reactor named ${JSON.stringify(idOrName)}.`, {
      hint: 'See: tokenctl reactor list',
    });
  if (others.length === 0) return first.id;
  throw new CliError('failed', `Several reactors are named ${JSON.stringify(idOrName)}.`, {
    hint: `Give the id of one: ${[first, ...others].map(({ id }) => id).join(', ')}.`,
  });
}

/**
 * The id of an application given by id or exact name.
 * @throws {CliError} when there is none, or more than one, of that name.
 */
export async function applicationId(client: Client, idOrName: string): Promise<string> {
  if (UUID.test(idOrName)) return idOrName.toLowerCase();
  const found: string[] = [];
  const pages = everyItem<Application>((page, size) =>
    client.call('applications.list', { query: { page, size } }),
  );
  for await (const { id, name } of pages) if (name === idOrName) found.push(id);
  const [id] = found;
  if (id !== undefined && found.length === 1) return id;
  throw new CliError(
    id === undefined ? 'not_found' : 'failed',
    id === undefined
      ? `There is no application ${JSON.stringify(idOrName)}.`
      : `${found.length} applications are named ${JSON.stringify(idOrName)}: ${found.join(', ')}.`,
    { hint: 'Name it by its id: tokenctl application list.' },
  );
}
