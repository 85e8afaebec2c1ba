import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { ServiceError } from '../../../client/errors.js';
import { Checkpoint, createState } from '../../bulk/checkpoint.js';
import type { Context } from '../../command.js';
import type { Source } from './import-source.js';

/** Returns the tenant of the key; undefined when the service does not report it (an extension of the emulator). */
async function tenantOf({ client }: Context): Promise<string | undefined> {
  try {
    return (await client.call('applications.key', {})).tenant_id;
  } catch (error) {
    if (error instanceof ServiceError && error.status !== 401) return undefined;
    throw error;
  }
}

/** Returns the checkpoint path next to the source, which differs for each service and tenant. */
function defaultCheckpoint(path: string, target: string, tenant: string | undefined): string {
  const where = createHash('sha256')
    .update(`${target} ${tenant ?? ''}`)
    .digest('hex')
    .slice(0, 8);
  return `${path}.${where}.checkpoint`;
}

/** Opens the checkpoint for this source, service and tenant, and prints a notice when an earlier run has left one. */
export async function openCheckpoint(
  checkpoint: string | undefined,
  source: Source,
  context: Context,
): Promise<Checkpoint> {
  const { client, settings, output } = context;
  const target = (await client.connection()).transport.url;
  const tenant = await tenantOf(context);
  const path =
    checkpoint === undefined
      ? source.path && defaultCheckpoint(source.path, target, tenant)
      : resolve(settings.cwd, checkpoint);
  const opened = await Checkpoint.open(path, createState({ target, tenant, source: source.identity }));
  const { done, completed } = opened.state;
  if (opened.resumed)
    output.notice(
      completed
        ? `Already imported. To import it again, delete the checkpoint ${path}.`
        : `Resuming after row ${done}. To start over, delete the checkpoint ${path}.`,
    );
  return opened;
}
