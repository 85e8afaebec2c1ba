import { dirname } from 'node:path';
import type { Client } from '../../../client/client.js';
import type { Context } from '../../command.js';
import { applyPlan } from '../../tenant-config/apply/apply-plan.js';
import type { ObjectResult } from '../../tenant-config/apply/result.js';
import { type Config, readConfig, WHOLE_TENANT } from '../../tenant-config/declaration/read-config.js';
import { assemblePlan } from '../../tenant-config/plan/plan.js';
import { readRemote } from '../../tenant-config/plan/remote.js';
import { throwFailures } from '../../tenant-config/report/report.js';

const CONCURRENCY = 4;

export function readManifestSeed(path: string, { settings, signal }: Context): Promise<Config> {
  const options = {
    cwd: dirname(path),
    environment: settings.environment,
    files: [],
    external: [],
    moduleAliases: {},
    configuration: { env: {}, config: undefined, allowCommand: false, placeholders: true },
    allowSecrets: true,
    concurrency: CONCURRENCY,
    prune: false,
  };
  return readConfig(WHOLE_TENANT, options, signal);
}

/** Creates what does not exist yet, and returns its number. Smoke cases do not run, because they may need real secrets. */
export async function applyManifestSeed(
  { declared }: Config,
  client: Client,
  { signal }: Context,
): Promise<number> {
  const remote = await readRemote(client, declared, [], signal);
  const plan = assemblePlan(declared, remote);
  const objects = plan.objects
    .filter(({ action, kind }) => action !== 'update' || kind === 'tenant')
    .map((planned) => (planned.action === 'fail' ? planned : { ...planned, smoke: [] }));
  const options = {
    client,
    lock: undefined,
    ids: plan.ids,
    concurrency: CONCURRENCY,
    commit: undefined,
    signal,
  };
  const results: ObjectResult[] = [];
  for await (const result of applyPlan({ ...plan, objects }, options, { partial: false }))
    results.push(result);
  throwFailures(results);
  return results.filter(({ status }) => status === 'created').length;
}
