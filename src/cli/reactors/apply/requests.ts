import type { Client } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import type { Reactor } from '../../../contract/schemas/index.js';
import type { ReactorContent } from '../plan/content.js';

/** Creates a reactor, or replaces the one with this ID. */
export async function writeReactor(client: Client, content: ReactorContent, id?: string): Promise<Reactor> {
  const { name, code, configuration, application } = content;
  const body = {
    name,
    code,
    configuration,
    ...(application !== null && { application: { id: application } }),
  };
  if (id === undefined) return client.call('reactors.create', { body });
  return client.call('reactors.replace', { path: { id }, body });
}

/** Deletes a reactor. A 404 counts as success: an earlier attempt may have deleted it. */
export async function deleteReactor(client: Client, id: string): Promise<void> {
  await client.call('reactors.delete', { path: { id } }).catch((error: unknown) => {
    if (!(error instanceof ServiceError && error.status === 404)) throw error;
  });
}
