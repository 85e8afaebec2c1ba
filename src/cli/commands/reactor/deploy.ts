import { isObject } from '../../../contract/json.js';
import type { Context } from '../../command.js';
import type { Options } from '../../flags/flag.js';
import type { ProjectFlags } from '../../flags/project-flags.js';
import { usageError } from '../../lib/errors.js';
import { shellQuote } from '../../lib/text.js';
import type { SmokeCase } from '../../manifest/schema.js';
import { REACTORS_ONLY } from '../../tenant-config/declaration/read-config.js';
import { readJson } from '../shared/input.js';
import { type ApplyFileFlags, runApply, runApplyFile } from '../shared/tenant-config/apply.js';
import {
  type DiffFlags,
  type PlanFlags,
  previewDeploy,
  runDiff,
  runPlan,
} from '../shared/tenant-config/plan.js';
import { runOnChange } from './shared/watch.js';

type SmokeFlags = Options<'smoke' | 'expect'>;

function isArguments(value: unknown): value is SmokeCase['args'] {
  return typeof value === 'string' || isObject(value);
}

async function readSmokeTest(
  { smoke, expect }: SmokeFlags,
  context: Context,
): Promise<SmokeCase | undefined> {
  if (smoke === undefined) {
    if (expect !== undefined) throw usageError('--expect requires --smoke.');
    return undefined;
  }
  const args = await readJson(smoke, '--smoke', context);
  if (!isArguments(args)) throw usageError('--smoke must be a JSON object: the arguments of the reactor.');
  return expect === undefined ? { args } : { args, expect: await readJson(expect, '--expect', context) };
}

interface DeployFlags extends ProjectFlags, SmokeFlags {
  dryRun?: boolean | undefined;
  watch?: boolean | undefined;
}

async function deploy(flags: DeployFlags, context: Context, inputs: Set<string>): Promise<void> {
  const smoke = await readSmokeTest(flags, context);
  if (flags.dryRun) await previewDeploy(REACTORS_ONLY, flags, context, inputs);
  else await runApply(flags, { scope: REACTORS_ONLY, smoke, inputs }, context);
}

export async function deployReactors(flags: DeployFlags, context: Context): Promise<void> {
  await runOnChange(flags, (inputs) => deploy(flags, context, inputs), context);
}

export async function diffReactors(flags: DiffFlags, context: Context): Promise<void> {
  const files = (flags.file ?? []).map((file) => shellQuote(file));
  await runDiff(REACTORS_ONLY, flags, context, ['tokenctl reactor deploy', ...files].join(' '));
}

export async function planReactors(flags: PlanFlags, context: Context): Promise<void> {
  await runPlan(REACTORS_ONLY, flags, context, 'tokenctl reactor apply');
}

export async function applyReactorPlan(flags: ApplyFileFlags, context: Context): Promise<void> {
  await runApplyFile(flags, context);
}
