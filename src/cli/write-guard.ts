import type { Settings } from './config/settings.js';
import { declinedError, usageError } from './lib/errors.js';
import type { Output } from './output/output.js';
import type { Prompts } from './prompts/prompts.js';

/** Prints the target and asks questions. */
export interface WriteGuardTerminal {
  output: Pick<Output, 'target'>;
  prompts: Pick<Prompts, 'interactive' | 'confirm'>;
}

/**
 * Creates the check before the first write of a command: it prints which service is written to, and asks if the service
 * is protected (cli.md, Target and credentials).
 * @param describe returns what to call the service: `production https://api.example.com (tenant Acme 0c7a…)`
 * @returns a function that does so once. Its argument: the user has already agreed to a change of this service.
 */
export function createWriteGuard(
  describe: () => string,
  isProtected: boolean,
  { yes }: Pick<Settings, 'yes'>,
  { output, prompts }: WriteGuardTerminal,
): (confirmed?: boolean) => Promise<void> {
  let checked: Promise<void> | undefined;

  async function check(confirmed: boolean): Promise<void> {
    const name = describe();
    if (isProtected && !yes && !confirmed) {
      if (!prompts.interactive)
        throw usageError(
          `Writing to ${name} requires --yes when prompts are disabled: its profile is protected.`,
        );
      if (!(await prompts.confirm({ message: `Write to ${name}?`, flag: '--yes' })))
        throw declinedError(`Nothing was written to ${name}.`);
    }
    output.target(`→ ${name}`);
  }

  return (confirmed = false) => {
    checked ??= check(confirmed);
    return checked;
  };
}
