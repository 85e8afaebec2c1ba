import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { ServiceError } from '../../../client/errors.js';
import type { JobIdentity } from '../../bulk/checkpoint.js';
import { unwritableCheckpoint } from '../../bulk/checkpoint.js';
import type { Context } from '../../command.js';
import { exclusively } from '../../lib/exclusive-lock.js';

type Place = Pick<JobIdentity, 'target' | 'tenant'>;

/** Returns the service and the tenant of the key, which a service without this extension does not disclose. */
export async function identifyPlace({ client }: Context): Promise<Place> {
  const target = (await client.connection()).transport.url;
  try {
    return { target, tenant: (await client.call('applications.key', {})).tenant_id };
  } catch (error) {
    if (error instanceof ServiceError && error.status !== 401) return { target, tenant: undefined };
    throw error;
  }
}

/**
 * Returns the path of a checkpoint: that of `--checkpoint`, otherwise one that differs for each service and tenant.
 * @param base the start of the path; without it, nothing is saved unless `--checkpoint` is given
 * @param more what else distinguishes the job
 */
export function checkpointPath<Base extends string | undefined>(
  checkpoint: string | undefined,
  base: Base,
  { target, tenant = '' }: Place,
  { settings }: Context,
  more: readonly string[] = [],
): string | Base {
  if (checkpoint !== undefined) return resolve(settings.cwd, checkpoint);
  if (base === undefined) return base;
  const identity = [target, tenant, ...more].join(' ');
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 8);
  return `${resolve(settings.cwd, base)}.${hash}.checkpoint`;
}

/**
 * Runs a job while no other process runs the one with the same checkpoint, whose rows both would send.
 * @param what names the job: `import of rows.csv`
 * @throws {CliError} if another process does, or nothing can be written next to the checkpoint
 */
export async function withCheckpointLock<Result>(
  checkpoint: string | undefined,
  what: string,
  job: () => Promise<Result>,
): Promise<Result> {
  if (checkpoint === undefined) return job();
  const names = { what, again: 'run this command again to continue' };
  const lock = `${checkpoint}.lock`;
  return exclusively(lock, names, job).catch((error: NodeJS.ErrnoException) => {
    throw error.path === lock ? unwritableCheckpoint(checkpoint, error.code) : error;
  });
}
