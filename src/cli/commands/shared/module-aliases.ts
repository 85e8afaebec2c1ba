import { providedModule, REACTOR_MODULES } from '../../../contract/reactor-runtime.js';
import { usageError } from '../../lib/errors.js';

/** Converts `--module-alias NAME=MODULE…`. @throws {CliError} if one of them is not valid */
export function parseModuleAliases(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(given.map(parseModuleAlias));
}

function parseModuleAlias(given: string): [name: string, module: string] {
  const [, name = '', module = ''] = /^([^=\s]+)=(.*)$/.exec(given) ?? [];
  if (providedModule(module) !== undefined && providedModule(name) === undefined && name)
    return [name, module];
  throw usageError(
    `--module-alias must be NAME=MODULE with a new name and one of ${REACTOR_MODULES.join(', ')}, not ${given}.`,
  );
}
