import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type EMULATOR_FLAGS,
  EMULATOR_OPTIONS,
  type EmulatorOption,
  type EmulatorSettings,
  type START_FLAGS,
} from '../../../contract/emulator-options.js';
import type { Context } from '../../command.js';
import { validateBaseUrl } from '../../config/base-url.js';
import { resolveDataDir } from '../../config/state-file.js';
import { dataKeySource, type EmulatorOptions } from '../../emulator/launch.js';
import { type FlagValues, toKebabCase } from '../../flags/flag.js';
import { readEnvFile } from '../../lib/env-file.js';
import { usageError } from '../../lib/errors.js';
import { repeatable } from '../../lib/text.js';
import { readTextFile } from '../../lib/text-file.js';
import { parseInspectorAddress, parseModuleAliases } from '../shared/flag-values.js';

export type EmulatorFlags = FlagValues<typeof EMULATOR_FLAGS>;
export type StartFlags = EmulatorFlags & FlagValues<typeof START_FLAGS>;

/** Reads the emulator's options from flags and environment: those of the contract's table, and those that have a function below. */
export async function emulatorOptions(
  flags: StartFlags,
  context: Context,
  store?: string,
): Promise<EmulatorOptions> {
  const { settings } = context;
  return omitUndefined<EmulatorOptions>({
    ...readSettings(flags, settings.env),
    purpose: 'tokenctl emulator',
    headerPrefix: settings.headerPrefix,
    publicUrl: flags.publicUrl === undefined ? undefined : validateBaseUrl(flags.publicUrl, '--public-url'),
    tls: await certificate(flags, context),
    dataDir: resolveDataDir(settings),
    storeUrl: store,
    dataKey: await dataKey(flags, store, context),
    network: network(flags),
    inspector: inspector(flags, context),
    reactorModules: await modulesDirectory(flags.reactorModules, context),
    moduleAliases: flags.moduleAlias && parseModuleAliases(flags.moduleAlias),
    keys: fixedKeys(await environment(flags.envFile, context)),
  });
}

function omitUndefined<Options extends object>(
  options: { [Name in keyof Options]: Options[Name] | undefined },
): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}

function readSettings(flags: StartFlags, env: NodeJS.ProcessEnv): EmulatorSettings {
  const given: Readonly<Record<string, unknown>> = flags;
  const rows = Object.entries(EMULATOR_OPTIONS).filter(([, { special }]) => !special);
  return Object.fromEntries(
    rows.map(([name, row]) => {
      const { variable = '', setting = name } = row;
      if (given[name] === undefined) return [setting, readValue(env[variable] || undefined, row, variable)];
      const source = `--${toKebabCase(name)}`;
      const value = given[name];
      return [
        setting,
        Array.isArray(value)
          ? value.map((item) => readValue(item, row, source))
          : readValue(value, row, source),
      ];
    }),
  );
}

function readValue(given: unknown, row: EmulatorOption, source: string): unknown {
  if (given === undefined) return undefined;
  if (given === '') throw usageError(`${source} must not be empty.`, 'Is a shell variable unset?');
  const { isValid = () => true, rule, textRule = rule } = row;
  const value = row.parse ? row.parse(String(given)) : given;
  if (isValid(value)) return value;
  throw usageError(`${source} ${textRule}${row.sensitive ? '' : `, not ${repeatable(given)}`}.`);
}

async function certificate(
  { tlsCert, tlsKey }: StartFlags,
  { settings }: Context,
): Promise<EmulatorOptions['tls']> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw usageError('--tls-cert and --tls-key must be given together.');
  const read = (path: string, flag: string) => readTextFile(resolve(settings.cwd, path), `${flag} ${path}`);
  return { cert: await read(tlsCert, '--tls-cert'), key: await read(tlsKey, '--tls-key') };
}

export function storeUrl(
  { store, memory, durability }: Pick<StartFlags, 'store' | 'memory' | 'durability'>,
  { settings }: Context,
): string | undefined {
  if (store === undefined) return memory ? undefined : settings.env.TOKENCTL_STORE || undefined;
  if (memory) throw usageError('--store and --memory cannot be used together.');
  if (durability !== undefined)
    throw usageError('--durability is for a data directory; with --store, every write is on disk.');
  return store;
}

function dataKey(
  { encrypt }: EmulatorFlags,
  store: string | undefined,
  { settings }: Context,
): Promise<NonNullable<EmulatorOptions['dataKey']>> | undefined {
  const isKeySet = store !== undefined && settings.env.TOKENCTL_DATA_KEY;
  if (encrypt === undefined && !isKeySet) return undefined;
  const file = typeof encrypt === 'string' ? resolve(settings.cwd, encrypt) : undefined;
  const name = store === undefined ? undefined : 'The database of --store';
  return dataKeySource(settings, resolveDataDir(settings), file, name);
}

function network({ allowNet, denyNet, redirect }: EmulatorFlags): NonNullable<EmulatorOptions['network']> {
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
    `--redirect must be HOST=URL, such as api.example.com=http://127.0.0.1:4010 without a path, not ${repeatable(given)}.`,
  );
}

function inspector(
  { inspect, reactorRuntime }: EmulatorFlags,
  { settings }: Context,
): EmulatorOptions['inspector'] {
  if (inspect === undefined) return undefined;
  if (reactorRuntime !== 'node')
    throw usageError('--inspect needs --reactor-runtime node: a debugger cannot stop what runs in QuickJS.');
  const address = parseInspectorAddress(inspect, '--inspect');
  // Loads the bundler and the manifest when a debugger needs them: goal S4.
  const load = () => import('../../reactors/build/code-origin.js');
  const findOrigin = async (code: string) => (await load()).findOrigin(code, settings.cwd);
  return { ...address, waits: false, findOrigin };
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

/** Adds the variables of `--env-file` to the environment, whose own variables take precedence. */
async function environment(envFile: string | undefined, { settings }: Context): Promise<NodeJS.ProcessEnv> {
  const { cwd, env } = settings;
  if (envFile === undefined) return env;
  return { ...(await readEnvFile(resolve(cwd, envFile), '--env-file', env)), ...env };
}

function fixedKeys(env: NodeJS.ProcessEnv): EmulatorOptions['keys'] {
  const keys = {
    management: env.TOKENCTL_EMULATOR_MANAGEMENT_KEY,
    private: env.TOKENCTL_EMULATOR_PRIVATE_KEY,
    public: env.TOKENCTL_EMULATOR_PUBLIC_KEY,
  };
  return Object.fromEntries(Object.entries(keys).filter(([, key]) => key)) as EmulatorOptions['keys'];
}
