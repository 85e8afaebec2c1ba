import type { Context } from '../command.js';
import { CliError } from '../lib/errors.js';
import type { Style } from '../output/style.js';
import type { CheckResult } from './doctor/check.js';
import { checkDataDirectory, checkEmulator } from './doctor/emulator.js';
import { checkService } from './doctor/service.js';
import { checkConfiguration, checkNode, checkProject } from './doctor/setup.js';

/** Bumped when the JSON report changes incompatibly. */
const REPORT_VERSION = 1;

const CHECKS = [checkNode, checkConfiguration, checkProject, checkDataDirectory, checkEmulator, checkService];

/** Checks everything that commands depend on. Exits 1 if there is a problem. */
export async function run(_options: object, context: Context): Promise<void> {
  const { output } = context;
  const checks: CheckResult[] = [];
  for (const check of CHECKS) checks.push(...(await check(context)));
  await output.result({ version: REPORT_VERSION, checks }, { redaction: 'plain', render });
  const problems = checks.filter(({ status }) => status === 'problem').length;
  if (problems > 0)
    throw new CliError(
      'failed',
      problems === 1 ? '1 problem was found.' : `${problems} problems were found.`,
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
