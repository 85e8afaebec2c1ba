import { PERMISSION_NAMES, type Permission } from '../../contract/permissions.js';
import type { Context } from '../command.js';
import { CliError, EXIT_CODES, usageError } from '../lib/errors.js';
import type { Style } from '../output/style.js';
import type { Check, CheckResult } from './doctor/check.js';
import { runCheck } from './doctor/check.js';
import { checkDataDirectory } from './doctor/data-directory.js';
import { checkEmulator } from './doctor/emulator.js';
import { checkService } from './doctor/service.js';
import { checkConfiguration, checkNode, checkProject } from './doctor/setup.js';

/** Bumped when the JSON report changes incompatibly. */
const REPORT_VERSION = 1;

interface DoctorOptions {
  permission?: string[] | undefined;
  port?: number | undefined;
}

/**
 * Checks everything that commands depend on. With problems of one cause, the exit code is the one that commands have because
 * of it (cli.md, Failure); with others, it is 1.
 */
export async function run({ permission, port }: DoctorOptions, context: Context): Promise<void> {
  const wanted = permission === undefined ? undefined : parsePermissions(permission);
  const checks: Check[] = [
    { name: 'tokenctl', run: checkNode },
    { name: 'configuration', run: checkConfiguration },
    { name: 'project file', run: checkProject },
    { name: 'data directory', run: checkDataDirectory },
    { name: 'emulator', run: (given) => checkEmulator(port, given) },
    { name: 'service', run: (given) => checkService(wanted, given) },
  ];
  const results: CheckResult[] = [];
  for (const check of checks) {
    // What breaks one part can break another in the same way.
    const isNew = ({ detail }: CheckResult) => !results.some((known) => known.detail === detail);
    results.push(...(await runCheck(check, context)).filter(isNew));
  }
  await context.output.result({ version: REPORT_VERSION, checks: results }, { redaction: 'plain', render });
  throwProblems(results);
}

/** @throws {CliError} that names the unknown ones */
function parsePermissions(given: readonly string[]): Permission[] {
  const names = given.flatMap((list) => list.split(','));
  const isPermission = (name: string): name is Permission => PERMISSION_NAMES.some((known) => known === name);
  const unknown = names.filter((name) => !isPermission(name));
  if (unknown.length === 0) return names.filter(isPermission);
  throw usageError(
    `Unknown permission${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}.`,
    `Permissions: ${PERMISSION_NAMES.join(', ')}.`,
  );
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
