import type { Context } from '../../../command.js';
import { createReactorLoader } from '../../../emulator/reactor-loader.js';
import { mapConcurrently } from '../../../lib/concurrency.js';
import { CliError } from '../../../lib/errors.js';
import { toFailure } from '../../../lib/failure.js';
import { type PrepareOptions, prepareReactor } from '../../../reactors/build/prepare.js';
import { type PlannedReactor, planReactor } from '../../../reactors/plan/plan.js';
import type { ReactorEntry } from '../../../reactors/project/manifest.js';
import { annotationsOf, inGitHubActions } from '../../../reactors/report/github.js';
import { concurrencyOf, type ProjectOptions, prepareOptions } from './project.js';

type Tried = { entry: ReactorEntry; planned?: PlannedReactor; error?: unknown };

/** @throws the error of a single reactor that failed, or one that names several. */
function refuseFailures(tried: readonly Tried[], { output, settings, signal }: Context): void {
  signal.throwIfAborted();
  const failed = tried.filter(({ error }) => error !== undefined);
  if (inGitHubActions(settings.env))
    for (const { entry, error } of failed) {
      const report = { name: entry.name, error: toFailure(error) };
      for (const line of annotationsOf(report, error, settings.cwd, settings.env)) output.notice(line);
    }
  const [first] = failed;
  if (!first) return;
  if (tried.length === 1) throw first.error;
  throw new CliError('failed', `${failed.length} of ${tried.length} reactors failed.`, {
    errors: Object.fromEntries(
      failed.map(({ entry, error }) => {
        const { detail, errors = {} } = toFailure(error);
        return [
          entry.name,
          [
            detail,
            ...Object.entries(errors).flatMap(([path, texts]) => texts.map((text) => `${path}: ${text}`)),
          ],
        ];
      }),
    ),
  });
}

async function planEntries(
  entries: readonly ReactorEntry[],
  prepare: PrepareOptions,
  options: ProjectOptions,
  context: Context,
): Promise<PlannedReactor[]> {
  const tried = await mapConcurrently(entries, concurrencyOf(options), async (entry): Promise<Tried> => {
    try {
      return { entry, planned: await planReactor(context.client, await prepareReactor(entry, prepare)) };
    } catch (error) {
      return { entry, error };
    }
  });
  refuseFailures(tried, context);
  return tried.flatMap(({ planned }) => planned ?? []);
}

/** What deploying these reactors would do. All of them must be well: half a plan is none. */
export async function planAll(
  entries: readonly ReactorEntry[],
  options: ProjectOptions,
  context: Context,
): Promise<PlannedReactor[]> {
  const loader = createReactorLoader();
  try {
    return await planEntries(entries, prepareOptions(options, loader, context), options, context);
  } finally {
    await loader.close();
  }
}
