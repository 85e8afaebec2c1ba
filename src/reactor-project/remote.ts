import type { Client } from '../client/client.js';
import { ServiceError } from '../client/errors.js';
import { everyItem } from '../client/pages.js';
import type { Application, Reactor } from '../contract/schemas/index.js';
import { CliError } from '../failure.js';
import { contentOf, type ReactorContent } from './compare.js';
import type { PreparedReactor } from './prepare.js';

/** Every reactor of exactly this name. `name` of the list is a wildcard search, so that it may give more. */
async function reactorsNamed(client: Client, name: string): Promise<Reactor[]> {
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

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The id of an application given by id or exact name.
 * @throws {CliError} when there is none, or more than one, of that name.
 */
async function resolveApplication(client: Client, idOrName: string): Promise<string> {
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

/** What the service shall hold: what the project says, and where it says nothing what is there already. */
export async function desiredContent(
  client: Client,
  prepared: PreparedReactor,
  existing: Reactor | undefined,
): Promise<ReactorContent> {
  const { name, code, configuration, application } = prepared;
  const before = existing && contentOf(existing);
  return {
    name,
    code,
    configuration: configuration ?? before?.configuration ?? {},
    application:
      application === undefined
        ? (before?.application ?? null)
        : application && (await resolveApplication(client, application)),
  };
}

function bodyOf({ name, code, configuration, application }: ReactorContent) {
  return { name, code, configuration, ...(application !== null && { application: { id: application } }) };
}

/** Creates the reactor, or makes the one with this id what it shall be. */
export async function writeReactor(client: Client, content: ReactorContent, id?: string): Promise<Reactor> {
  const body = bodyOf(content);
  if (id === undefined) return client.call('reactors.create', { body });
  return client.call('reactors.replace', { path: { id }, body });
}

/** Deletes the reactor; one that is gone already, be it by a first try whose answer was lost, is as it shall be. */
export async function deleteReactor(client: Client, id: string): Promise<void> {
  await client.call('reactors.delete', { path: { id } }).catch((error: unknown) => {
    if (!(error instanceof ServiceError && error.status === 404)) throw error;
  });
}
