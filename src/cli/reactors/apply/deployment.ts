import { mapConcurrently } from '../../lib/concurrency.js';
import { toFailure } from '../../lib/failure.js';
import type { PreparedReactor } from '../build/prepare.js';
import type { CreatedReactor, LockFile } from '../project/lock-file.js';
import { shownPath } from '../project/source-file.js';
import {
  type DeployReport,
  REPORT_VERSION,
  type ReactorReport,
  summarize,
  toReportedError,
} from '../report/deploy-report.js';
import { changeRemote, type DeployOptions, deployReactor, type RemoteState } from './deploy-reactor.js';
import { deleteReactor } from './remote.js';

/** One reactor to deploy, made ready when its turn comes. */
export interface DeploymentTask {
  name: string;
  /** Relative to the working directory. */
  file: string | undefined;
  /** The manifest names it: what it creates may be pruned one day. A file named beside the manifest may not. */
  inManifest: boolean;
  plannedOver?: DeployOptions['plannedOver'];
  prepare: () => Promise<PreparedReactor>;
}

export interface DeploymentOptions extends Omit<DeployOptions, 'onCreated' | 'onRemote' | 'plannedOver'> {
  tasks: readonly DeploymentTask[];
  /** What paths in the report are relative to. */
  cwd: string;
  concurrency: number;
  /** Where it is recorded what was created; absent without a manifest. */
  lock?: LockFile | undefined;
  /** What to delete when everything else went well. */
  orphans: readonly CreatedReactor[];
  /** Told of each reactor as it ends, with the error of one that failed. */
  onDone?: (report: ReactorReport, error?: unknown) => void;
}

/** Runs one step, which never stops the others: its error becomes part of the report. */
async function reported(
  report: Omit<ReactorReport, 'duration_ms'>,
  { signal, onDone = () => {} }: DeploymentOptions,
  step: () => Promise<Partial<ReactorReport>>,
): Promise<ReactorReport> {
  const start = performance.now();
  const end = (): number => Math.round(performance.now() - start);
  try {
    signal.throwIfAborted();
    const result = await step();
    const done = { ...report, ...result, duration_ms: end() };
    onDone(done);
    return done;
  } catch (error) {
    const reason = signal.aborted ? signal.reason : error;
    const failed: ReactorReport = {
      ...report,
      status: 'failed',
      duration_ms: end(),
      error: toReportedError(toFailure(reason)),
    };
    onDone(failed, reason);
    return failed;
  }
}

async function deployTask(
  { inManifest, plannedOver, prepare }: DeploymentTask,
  options: DeploymentOptions,
  onRemote: (state: RemoteState) => void,
): Promise<Partial<ReactorReport>> {
  const { client, dryRun, smoke, lock, signal } = options;
  const { transport } = await client.connection();
  const prepared = await prepare();
  const { diff, ...deployed } = await deployReactor(prepared, {
    client,
    dryRun,
    smoke,
    signal,
    plannedOver,
    onRemote,
    onCreated: async ({ id }) => {
      if (inManifest) await lock?.add({ base_url: transport.url, id, name: prepared.name });
    },
  });
  return {
    ...deployed,
    ...(dryRun && deployed.changes.length > 0 && { diff }),
    code: { characters: prepared.code.length, minified: prepared.minified },
  };
}

function deployOne(task: DeploymentTask, options: DeploymentOptions): Promise<ReactorReport> {
  const { name, file } = task;
  const report: Omit<ReactorReport, 'duration_ms'> = {
    name,
    file,
    status: 'failed',
    remote: 'untouched',
    verified: false,
    changes: [],
  };
  return reported(report, options, async () =>
    deployTask(task, options, (state) => {
      report.remote = state;
    }),
  );
}

function deleteOrphan({ id, name }: CreatedReactor, options: DeploymentOptions): Promise<ReactorReport> {
  const { client, dryRun, lock } = options;
  const report: Omit<ReactorReport, 'duration_ms'> = {
    name,
    id,
    status: 'deleted',
    remote: 'untouched',
    verified: false,
    changes: [],
  };
  const onRemote = (state: RemoteState) => {
    report.remote = state;
  };
  return reported(report, options, async () => {
    if (dryRun) return {};
    await changeRemote(['untouched', 'removed'], onRemote, () => deleteReactor(client, id));
    await lock?.remove([id]);
    return { verified: true };
  });
}

/** Deploys every reactor; deletes what is to be pruned, unless something failed before: the old may still be needed. */
export async function runDeployment(options: DeploymentOptions): Promise<DeployReport> {
  const { client, tasks, concurrency, orphans, dryRun, lock, cwd } = options;
  const reactors = await mapConcurrently(tasks, concurrency, (task) => deployOne(task, options));
  if (reactors.every(({ status }) => status !== 'failed'))
    reactors.push(
      ...(await mapConcurrently(orphans, concurrency, (orphan) => deleteOrphan(orphan, options))),
    );
  return {
    version: REPORT_VERSION,
    target: (await client.connection()).transport.url,
    manifest: lock && shownPath(lock.manifestPath, cwd),
    dry_run: dryRun,
    summary: summarize(reactors),
    reactors,
  };
}
