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
  redirect?: string[] | undefined;
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
function network({ allowNet, denyNet, redirect }: ReactorFlags): NonNullable<EmulatorOptions['network']> {
  if (denyNet && allowNet) throw usageError('--allow-net and --deny-net cannot be used together.');
  const redirects = redirect && { redirects: Object.fromEntries(redirect.map(parseRedirect)) };
  if (denyNet) return { mode: 'none', ...redirects };
  if (allowNet === undefined) return { mode: 'loopback', ...redirects };
  if (allowNet === true) return { mode: 'open', ...redirects };
  return { mode: 'hosts', hosts: allowNet.flatMap((hosts) => hosts.split(',')), ...redirects };
}

function parseRedirect(given: string): [host: string, origin: string] {
  const [, host, url = ''] = /^([^=/\s]+)=(https?:\/\/[^/?#@\s]+)\/?$/i.exec(given) ?? [];
  if (host && URL.canParse(url)) return [host.toLowerCase(), new URL(url).origin];
  throw usageError(
    '--redirect must be HOST=URL: a host, and the http or https URL of a stub without a path, such as api.example.com=http://127.0.0.1:4010.',
  );
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
