import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../command.js';
import type { EmulatorOptions } from '../../emulator/launch.js';
import { usageError } from '../../lib/errors.js';
import { parseModuleAliases } from '../shared/module-aliases.js';

/** The flags that say how reactors run, and what they can reach. */
export interface ReactorFlags {
  reactorRuntime?: string | undefined;
  reactorModules?: string | undefined;
  moduleAlias?: string[] | undefined;
  allowNet?: string[] | true | undefined;
  denyNet?: boolean | undefined;
}

/** Reads runtime, modules and network of reactors. @throws {CliError} when a value is not valid */
export async function reactorOptions(flags: ReactorFlags, context: Context) {
  return {
    network: network(flags),
    reactorRuntime: flags.reactorRuntime as EmulatorOptions['reactorRuntime'],
    reactorModules: await modulesDirectory(flags.reactorModules, context),
    moduleAliases: flags.moduleAlias && parseModuleAliases(flags.moduleAlias),
  };
}

/** Returns the network policy of reactors. */
function network({ allowNet, denyNet }: ReactorFlags): EmulatorOptions['network'] {
  if (denyNet && allowNet) throw usageError('--allow-net and --deny-net cannot be used together.');
  if (denyNet) return { mode: 'none' };
  if (allowNet === undefined) return undefined;
  if (allowNet === true) return { mode: 'open' };
  return { mode: 'hosts', hosts: allowNet.flatMap((hosts) => hosts.split(',')) };
}

async function modulesDirectory(
  directory: string | undefined,
  { settings }: Context,
): Promise<EmulatorOptions['reactorModules']> {
  if (directory === undefined) return undefined;
  const path = resolve(settings.cwd, directory);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return path;
  throw usageError(`--reactor-modules must be a directory, but ${path} is not.`);
}
