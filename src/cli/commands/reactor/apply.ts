import { resolve } from 'node:path';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { runDeployment } from '../../reactors/apply/deployment.js';
import type { PreparedReactor } from '../../reactors/build/prepare.js';
import { assertPlanCurrent, type Plan, type PlannedReactor, readPlan } from '../../reactors/plan/plan.js';
import { type ConfigurationFlags, resolveConfiguration } from '../../reactors/project/configuration.js';
import { type CreatedReactor, LockFile } from '../../reactors/project/lock-file.js';
import { findManifest, type Manifest } from '../../reactors/project/manifest.js';
import { confirmDeletion } from '../shared/confirm.js';
import { concurrencyOf, configurationFlags } from './shared/project.js';
import { announce, finish } from './shared/report.js';

export interface ApplyOptions {
  plan: string;
  config?: string[] | undefined;
  envFile?: string | undefined;
  concurrency?: number | undefined;
  yes?: boolean | undefined;
}

/** The planned code with the configuration's values, which are not in the plan. */
async function prepareFromPlan(
  { name, file = name, code = '', minified = false, application }: PlannedReactor,
  manifest: Manifest | undefined,
  flags: ConfigurationFlags,
): Promise<PreparedReactor> {
  const entry = manifest?.reactors.find((reactor) => reactor.name === name) ?? {
    name,
    code: file,
    external: [],
  };
  const configuration = await resolveConfiguration(entry, flags);
  return { name, file, code, minified, application, configuration };
}

async function preparedOf(
  { reactors }: Plan,
  manifest: Manifest | undefined,
  flags: ConfigurationFlags,
): Promise<Map<string, PreparedReactor>> {
  const written = reactors.filter(({ action }) => action === 'create' || action === 'update');
  const prepared = written.map((planned) => prepareFromPlan(planned, manifest, flags));
  return new Map((await Promise.all(prepared)).map((reactor) => [reactor.name, reactor]));
}

function orphansOf({ target, reactors }: Plan): CreatedReactor[] {
  return reactors.flatMap(({ action, id, name }) =>
    action === 'delete' && id !== undefined ? [{ base_url: target, id, name }] : [],
  );
}

export async function run(options: ApplyOptions, context: Context): Promise<void> {
  const { client, settings, signal } = context;
  const plan = await readPlan(resolve(settings.cwd, options.plan));
  const { url } = (await client.connection()).transport;
  if (plan.target !== url) throw usageError(`The plan is for ${plan.target}, the target is ${url}.`);
  const manifest = await findManifest(settings.cwd);
  const prepared = await preparedOf(plan, manifest, configurationFlags(options, context));
  await assertPlanCurrent(client, plan, prepared);
  const orphans = orphansOf(plan);
  if (orphans.length > 0)
    await confirmDeletion(`the reactors ${orphans.map(({ name }) => name).join(', ')}`, options.yes, context);
  const named = new Set(manifest?.reactors.map(({ name }) => name));
  const errors = new Map<string, unknown>();
  const report = await runDeployment({
    client,
    signal,
    cwd: settings.cwd,
    orphans,
    dryRun: false,
    concurrency: concurrencyOf(options),
    lock: manifest && (await LockFile.open(manifest.path)),
    tasks: plan.reactors.flatMap(({ name, remote_hash }) => {
      const reactor = prepared.get(name);
      if (!reactor) return [];
      const { file } = reactor;
      const inManifest = named.has(name);
      return [{ name, file, inManifest, plannedOver: remote_hash, prepare: async () => reactor }];
    }),
    onDone(done, error) {
      if (error) errors.set(done.name, error);
      announce(done, error, context);
    },
  });
  await finish(report, errors, context);
}
