import type { Client } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import type { Reactor } from '../../../contract/schemas/index.js';
import type { PreparedReactor } from '../build/prepare.js';
import { contentOf, type ReactorContent } from '../plan/compare.js';
import { applicationId } from '../plan/lookup.js';

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
        : application && (await applicationId(client, application)),
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
