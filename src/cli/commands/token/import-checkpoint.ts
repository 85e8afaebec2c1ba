import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { ServiceError } from '../../../client/errors.js';
import { Checkpoint, createState } from '../../bulk/checkpoint.js';
import type { Context } from '../../command.js';
import type { Source } from './import-source.js';

/** The tenant that the rows go to; undefined when the service does not tell (an extension of the emulator's). */
async function tenantOf({ client }: Context): Promise<string | undefined> {
  try {
    return (await client.call('applications.key', {})).tenant_id;
  } catch (error) {
    if (error instanceof ServiceError && error.status !== 401) return undefined;
    throw error;
  }
}

/** Beside the file, one for each service and tenant that it is imported into. */
function defaultCheckpoint(path: string, target: string, tenant: string | undefined): string {
  const where = createHash('sha256')
    .update(`${target} ${tenant ?? ''}`)
    .digest('hex')
    .slice(0, 8);
  return `${path}.${where}.checkpoint`;
}

/** The checkpoint of this file, service and tenant; tells when an earlier run left one. */
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
        ? `Imported already; delete the checkpoint ${path} to import it again.`
        : `Going on after row ${done}; delete the checkpoint ${path} to start over.`,
    );
  return opened;
}
