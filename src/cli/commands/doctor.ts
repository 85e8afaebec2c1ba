import type { Context } from '../command.js';
import { CliError } from '../lib/errors.js';
import type { Style } from '../output/style.js';
import type { CheckResult } from './doctor/check.js';
import { checkDataDirectory, checkEmulator } from './doctor/emulator.js';
import { checkService } from './doctor/service.js';
import { checkConfiguration, checkNode, checkProject } from './doctor/setup.js';

const CHECKS = [checkNode, checkConfiguration, checkProject, checkDataDirectory, checkEmulator, checkService];

/** Looks at everything a command depends on; exit code 1 when something is broken. */
export async function run(_options: object, context: Context): Promise<void> {
  const { output } = context;
  const findings: CheckResult[] = [];
  for (const check of CHECKS) findings.push(...(await check(context)));
  await output.result(findings, { redaction: 'plain', render });
  const problems = findings.filter(({ status }) => status === 'problem').length;
  if (problems > 0)
    throw new CliError('failed', problems === 1 ? 'There is a problem.' : `There are ${problems} problems.`);
}

function render(findings: CheckResult[], style: Style): string {
  const marks = { ok: style.green('✓'), warning: style.yellow('!'), problem: style.red('✗') };
  return findings
    .map(({ check, status, detail, fix }) => {
      const line = `${marks[status]} ${style.bold(check)}: ${detail}`;
      return fix === undefined ? line : `${line}\n    ${style.cyan(fix)}`;
    })
    .join('\n');
}
