import type { Client } from '../../client/client.js';
import { everyItem } from '../../client/pages.js';
import type { Reactor } from '../../contract/schemas/index.js';
import { CliError } from '../../failure.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The reactors of exactly this name; the service's own filter also finds parts of names. */
export async function reactorsNamed(name: string, client: Client): Promise<Reactor[]> {
  const found: Reactor[] = [];
  const pages = everyItem<Reactor>((page, size) =>
    client.call('reactors.list', { query: { name, page, size } }),
  );
  for await (const reactor of pages) if (reactor.name === name) found.push(reactor);
  return found;
}

/**
 * The id of a reactor given by id or by exact name.
 * @throws {CliError} when no reactor, or more than one, has the name.
 */
export async function reactorId(reference: string, client: Client): Promise<string> {
  if (UUID.test(reference)) return reference;
  const [first, ...others] = await reactorsNamed(reference, client);
  if (!first)
    throw new CliError('not_found', `There is no reactor named ${JSON.stringify(reference)}.`, {
      hint: 'See: tokenctl reactor list',
    });
  if (others.length === 0) return first.id;
  throw new CliError('failed', `Several reactors are named ${JSON.stringify(reference)}.`, {
    hint: `Give the id of one: ${[first, ...others].map(({ id }) => id).join(', ')}.`,
  });
}
