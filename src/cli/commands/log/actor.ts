import type { Client } from '../../../client/client.js';
import { CliError } from '../../lib/errors.js';
import { resolveId } from '../../lib/lookup.js';

/**
 * Resolves an id, or the exact name of an application or reactor, to the id that the audit log names.
 * @throws {CliError} if no application or reactor, or more than one, has the name
 */
export async function resolveActorId(idOrName: string, client: Client): Promise<string> {
  for (const noun of ['application', 'reactor'] as const) {
    try {
      return await resolveId(client, noun, idOrName);
    } catch (error) {
      if (!(error instanceof CliError) || error.failure.category !== 'not_found') throw error;
    }
  }
  throw new CliError('not_found', `There is no application or reactor named ${JSON.stringify(idOrName)}.`, {
    hint: 'List them: tokenctl application list, tokenctl reactor list',
  });
}
