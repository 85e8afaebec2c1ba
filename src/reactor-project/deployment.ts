import type { Client } from '../client/client.js';
import { mapConcurrently } from '../concurrency.js';
import { toFailure } from '../output/failure.js';
import { type DeployOptions, deployReactor, type RemoteState } from './deploy-reactor.js';
import type { CreatedReactor, LockFile } from './lock-file.js';
import type { ReactorEntry } from './manifest.js';
import { type PreparedReactor, type PrepareOptions, prepareReactor } from './prepare.js';
import {
  type DeployReport,
  REPORT_VERSION,
  type ReactorReport,
  summarize,
  toReportedError,
} from './report.js';
import { shownPath } from './text.js';

export interface DeploymentOptions extends Omit<DeployOptions, 'onCreated' | 'onRemote'> {
  entries: readonly ReactorEntry[];
  prepare: PrepareOptions;
  concurrency: number;
  /** Where it is recorded what was created; absent without a manifest. */
  lock?: LockFile | undefined;
  /** What to delete when everything else went well. */
  orphans: readonly CreatedReactor[];
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
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

async function deployEntry(
  entry: ReactorEntry,
  prepared: PreparedReactor,
  options: DeploymentOptions,
  onRemote: (state: RemoteState) => void,
): Promise<Partial<ReactorReport>> {
  const { client, dryRun, smoke, lock } = options;
  const { transport } = await client.connection();
  const { diff, ...deployed } = await deployReactor(prepared, {
    client,
    dryRun,
    smoke,
    onRemote,
    onCreated: async ({ id }) => lock?.add({ base_url: transport.url, id, name: entry.name }),
  });
  return {
    ...deployed,
    ...(dryRun && deployed.changes.length > 0 && { diff }),
    code: { characters: prepared.code.length, minified: prepared.minified },
  };
}

function deployOne(entry: ReactorEntry, options: DeploymentOptions): Promise<ReactorReport> {
  const { prepare } = options;
  const report: Omit<ReactorReport, 'duration_ms'> = {
    name: entry.name,
    file: shownPath(entry.code, prepare.cwd),
    status: 'failed',
    remote: 'untouched',
    verified: false,
    changes: [],
  };
  return reported(report, options, async () =>
    deployEntry(entry, await prepareReactor(entry, prepare), options, (state) => {
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
  return reported(report, options, async () => {
    if (dryRun) return {};
    await client.call('reactors.delete', { path: { id } });
    await lock?.remove([id]);
    return { remote: 'removed', verified: true };
  });
}

/** Deploys every reactor; deletes what is to be pruned, unless something failed before: the old may still be needed. */
export async function runDeployment(client: Client, options: DeploymentOptions): Promise<DeployReport> {
  const { entries, concurrency, orphans, dryRun, lock, prepare } = options;
  const reactors = await mapConcurrently(entries, concurrency, (entry) => deployOne(entry, options));
  if (reactors.every(({ status }) => status !== 'failed'))
    reactors.push(
      ...(await mapConcurrently(orphans, concurrency, (orphan) => deleteOrphan(orphan, options))),
    );
  return {
    version: REPORT_VERSION,
    target: (await client.connection()).transport.url,
    manifest: lock && shownPath(lock.manifestPath, prepare.cwd),
    dry_run: dryRun,
    summary: summarize(reactors),
    reactors,
  };
}
