import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ORIGIN, ORIGIN_RULE } from '../../../contract/control/origin-rule.js';
import type { Context } from '../../command.js';
import { validateBaseUrl } from '../../config/base-url.js';
import { resolveDataDir } from '../../config/state-file.js';
import { dataKeySource, type EmulatorOptions } from '../../emulator/launch.js';
import { readEnvFile } from '../../lib/env-file.js';
import { usageError } from '../../lib/errors.js';
import { readTextFile } from '../../lib/text-file.js';
import { parseModuleAliases } from '../shared/module-aliases.js';

/** The flags of `start` and `exec` that configure the emulator. */
export interface BehaviourOptions {
  tlsCert?: string | undefined;
  tlsKey?: string | undefined;
  memory?: boolean | undefined;
  durability?: string | undefined;
  encrypt?: string | true | undefined;
  seed?: string | undefined;
  rateLimit?: boolean | undefined;
  rateLimitScale?: string | undefined;
  clock?: string | undefined;
  allowNet?: string[] | true | undefined;
  denyNet?: boolean | undefined;
  allowOrigin?: string[] | undefined;
  includedMonthlyTokens?: number | undefined;
  reactorRuntime?: string | undefined;
  reactorModules?: string | undefined;
  moduleAlias?: string[] | undefined;
  lenient?: boolean | undefined;
  refuseRealCards?: boolean | undefined;
  envFile?: string | undefined;
}

export interface StartOptions extends BehaviourOptions {
  port?: number | undefined;
  host?: string | undefined;
  store?: string | undefined;
  publicUrl?: string | undefined;
}

const MAX_PORT = 65_535;

/** Adds the variables of `--env-file` to the environment, whose own variables take precedence. */
async function environment(
  envFile: string | undefined,
  context: Context,
): Promise<Readonly<Record<string, string | undefined>>> {
  if (envFile === undefined) return context.settings.env;
  const { cwd, env } = context.settings;
  return { ...(await readEnvFile(resolve(cwd, envFile), '--env-file', env)), ...env };
}

/** Returns the network policy of reactors. */
function network({ allowNet, denyNet }: BehaviourOptions): EmulatorOptions['network'] {
  if (denyNet && allowNet) throw usageError('--allow-net and --deny-net cannot be used together.');
  if (denyNet) return { mode: 'none' };
  if (allowNet === undefined) return undefined;
  if (allowNet === true) return { mode: 'open' };
  return { mode: 'hosts', hosts: allowNet.flatMap((hosts) => hosts.split(',')) };
}

const ISO_8601 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Parses `--clock`. A time without an offset is UTC, not local time. */
function startTime(clock: string | undefined): number | undefined {
  if (clock === undefined) return undefined;
  const [text, time, offset] = ISO_8601.exec(clock) ?? [];
  const instant = Date.parse(time !== undefined && offset === undefined ? `${text}Z` : `${text}`);
  if (Number.isNaN(instant)) throw usageError('--clock must be an ISO 8601 date or date-time.');
  return instant;
}

function scale(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!(number > 0 && Number.isFinite(number)))
    throw usageError('--rate-limit-scale must be a number greater than 0.');
  return number;
}

function origins(given: readonly string[] | undefined): EmulatorOptions['allowOrigins'] {
  const wrong = given?.find((origin) => !ORIGIN.test(origin));
  if (wrong === undefined) return given;
  throw usageError(`--allow-origin ${ORIGIN_RULE}, not ${wrong}.`);
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

/** Returns the seeded keys of a new data directory that the environment sets. */
function fixedKeys(env: Readonly<Record<string, string | undefined>>): EmulatorOptions['keys'] {
  const keys = {
    management: env.TOKENCTL_EMULATOR_MANAGEMENT_KEY,
    private: env.TOKENCTL_EMULATOR_PRIVATE_KEY,
    public: env.TOKENCTL_EMULATOR_PUBLIC_KEY,
  };
  return Object.fromEntries(Object.entries(keys).filter(([, key]) => key)) as EmulatorOptions['keys'];
}

/** Returns the receiver of spans that the environment names, if any. */
function otlpEndpoint({ settings }: Context): string | undefined {
  const endpoint = settings.env.OTEL_EXPORTER_OTLP_ENDPOINT || undefined;
  if (endpoint === undefined || (/^https?:/.test(endpoint) && URL.canParse(endpoint))) return endpoint;
  throw usageError(
    'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL, such as http://127.0.0.1:4318.',
  );
}

/** Returns the URL of the database that `--store` or TOKENCTL_STORE names. */
export function storeUrl(
  { store, memory, durability }: Pick<StartOptions, 'store' | 'memory' | 'durability'>,
  { settings }: Context,
): string | undefined {
  if (store === undefined) return memory ? undefined : settings.env.TOKENCTL_STORE || undefined;
  if (memory) throw usageError('--store and --memory cannot be used together.');
  if (durability !== undefined)
    throw usageError('--durability is for a data directory; with --store, every write is on disk.');
  return store;
}

function dataKey(
  { encrypt }: BehaviourOptions,
  store: string | undefined,
  { settings }: Context,
): Promise<NonNullable<EmulatorOptions['dataKey']>> | undefined {
  const isKeySet = store !== undefined && settings.env.TOKENCTL_DATA_KEY;
  if (encrypt === undefined && !isKeySet) return undefined;
  const file = typeof encrypt === 'string' ? resolve(settings.cwd, encrypt) : undefined;
  const name = store === undefined ? undefined : 'The database of --store';
  return dataKeySource(settings, resolveDataDir(settings), file, name);
}

async function certificate(
  { tlsCert, tlsKey }: BehaviourOptions,
  { settings }: Context,
): Promise<EmulatorOptions['tls']> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw usageError('--tls-cert and --tls-key must be given together.');
  const read = (path: string, flag: string) => readTextFile(resolve(settings.cwd, path), `${flag} ${path}`);
  return { cert: await read(tlsCert, '--tls-cert'), key: await read(tlsKey, '--tls-key') };
}

function publicUrl({ publicUrl: given }: StartOptions): string | undefined {
  return given === undefined ? undefined : validateBaseUrl(given, '--public-url');
}

/** Omits undefined options, so that the emulator's defaults apply. */
function omitUndefined<Options extends object>(
  options: { [Name in keyof Options]: Options[Name] | undefined },
): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}

/**
 * Reads the emulator's options from flags and environment.
 * @param store the URL of its database
 * @throws {CliError} when a value is not valid
 */
export async function emulatorOptions(
  options: StartOptions,
  context: Context,
  store?: string,
): Promise<EmulatorOptions> {
  const { settings } = context;
  const { port, reactorRuntime } = options;
  // With an empty host, Node.js would listen on every address.
  if (options.host === '') throw usageError('--host must not be empty.', 'Is a shell variable unset?');
  if (port !== undefined && port > MAX_PORT) throw usageError(`--port must be at most ${MAX_PORT}.`);
  return omitUndefined<EmulatorOptions>({
    port,
    host: options.host,
    tls: await certificate(options, context),
    publicUrl: publicUrl(options),
    dataDir: resolveDataDir(settings),
    memory: options.memory,
    durability: options.durability as EmulatorOptions['durability'],
    storeUrl: store,
    dataKey: await dataKey(options, store, context),
    purpose: 'tokenctl emulator',
    headerPrefix: settings.headerPrefix,
    rateLimit: options.rateLimit,
    rateLimitScale: scale(options.rateLimitScale),
    clock: startTime(options.clock),
    network: network(options),
    includedMonthlyTokens: options.includedMonthlyTokens,
    reactorRuntime: reactorRuntime as EmulatorOptions['reactorRuntime'],
    reactorModules: await modulesDirectory(options.reactorModules, context),
    keys: fixedKeys(await environment(options.envFile, context)),
    moduleAliases: options.moduleAlias && parseModuleAliases(options.moduleAlias),
    lenient: options.lenient,
    refuseRealCards: options.refuseRealCards,
    allowOrigins: origins(options.allowOrigin),
    otlpEndpoint: otlpEndpoint(context),
  });
}
