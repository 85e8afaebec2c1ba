import type { Context } from '../command.js';
import { CliError, EXIT_CODES } from '../lib/errors.js';
import type { Style } from '../output/style.js';
import { type CheckResult, failedCheck, type Results } from './doctor/check.js';
import { checkService } from './doctor/service.js';
import {
  checkConfiguration,
  checkDataDirectory,
  checkEmulator,
  checkNode,
  checkProject,
} from './doctor/setup.js';
import { parsePermissions } from './shared/flag-values.js';

interface DoctorOptions {
  permission?: string[] | undefined;
  port?: number | undefined;
}

/** Checks everything that commands depend on. Problems of one cause have its exit code (cli.md, Failure), others 1. */
export async function run({ permission, port }: DoctorOptions, context: Context) {
  const wanted = permission && parsePermissions(permission.flatMap((list) => list.split(',')));
  const checks: Readonly<Record<string, (context: Context) => Results>> = {
    tokenctl: checkNode,
    configuration: checkConfiguration,
    'project file': checkProject,
    'data directory': checkDataDirectory,
    emulator: (given) => checkEmulator(port, given),
    service: (given) => checkService(wanted, given),
  };
  const results: CheckResult[] = [];
  for (const [name, check] of Object.entries(checks)) {
    const found = await collect(name, check, context);
    // What breaks one part can break another in the same way.
    results.push(...found.filter(({ detail }) => !results.some((known) => known.detail === detail)));
  }
  await context.output.plain({ version: 1, checks: results }, { render });
  throwProblems(results);
}

async function collect(
  name: string,
  check: (context: Context) => Results,
  context: Context,
): Promise<CheckResult[]> {
  const found: CheckResult[] = [];
  try {
    for await (const result of check(context)) found.push(result);
  } catch (error) {
    context.signal.throwIfAborted();
    found.push(failedCheck(name, error));
  }
  return found;
}

function throwProblems(results: readonly CheckResult[]): void {
  const categories = results.flatMap(({ category }) => category ?? []);
  const [first] = categories;
  if (first === undefined) return;
  const isOneCause = categories.every((category) => EXIT_CODES[category] === EXIT_CODES[first]);
  const count = categories.length;
  throw new CliError(
    isOneCause ? first : 'failed',
    count === 1 ? '1 problem was found.' : `${count} problems were found.`,
  );
}

function render({ checks }: { checks: CheckResult[] }, style: Style): string {
  const marks = { ok: style.green('✓'), warning: style.yellow('!'), problem: style.red('✗') };
  return checks
    .map(({ check, status, detail, fix }) => {
      const line = `${marks[status]} ${style.bold(check)}: ${detail}`;
      return fix === undefined ? line : `${line}\n    ${style.cyan(fix)}`;
    })
    .join('\n');
}
