import type { Context } from '../command.js';
import { CliError } from '../lib/errors.js';
import type { Style } from '../output/style.js';
import type { CheckResult } from './doctor/check.js';
import { checkDataDirectory, checkEmulator } from './doctor/emulator.js';
import { checkService } from './doctor/service.js';
import { checkConfiguration, checkNode, checkProject } from './doctor/setup.js';

const CHECKS = [checkNode, checkConfiguration, checkProject, checkDataDirectory, checkEmulator, checkService];

/** Checks everything that commands depend on. Exits 1 if there is a problem. */
export async function run(_options: object, context: Context): Promise<void> {
  const { output } = context;
  const results: CheckResult[] = [];
  for (const check of CHECKS) results.push(...(await check(context)));
  await output.result(results, { redaction: 'plain', render });
  const problems = results.filter(({ status }) => status === 'problem').length;
  if (problems > 0)
    throw new CliError(
      'failed',
      problems === 1 ? '1 problem was found.' : `${problems} problems were found.`,
    );
}

function render(results: CheckResult[], style: Style): string {
  const marks = { ok: style.green('✓'), warning: style.yellow('!'), problem: style.red('✗') };
  return results
    .map(({ check, status, detail, fix }) => {
      const line = `${marks[status]} ${style.bold(check)}: ${detail}`;
      return fix === undefined ? line : `${line}\n    ${style.cyan(fix)}`;
    })
    .join('\n');
}
