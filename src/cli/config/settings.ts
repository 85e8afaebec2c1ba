import type { GlobalOptions, OutputMode } from '../flags/globals.js';
import { durationFlag } from '../lib/durations.js';
import { usageError } from '../lib/errors.js';
import { resolveConfigDir } from './paths.js';

/** What the process was started with; read in main.ts alone. */
export interface ProcessEnvironment {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  platform: NodeJS.Platform;
  home: string;
  terminal: { stdin: boolean; stdout: boolean; stderr: boolean };
}

export interface Keys {
  /** Used for every operation that has no key of its own. */
  any?: string | undefined;
  management?: string | undefined;
  private?: string | undefined;
  public?: string | undefined;
}

/** Everything flags and environment decide, settled once; nothing deeper reads the environment. */
export interface Settings {
  cwd: string;
  configDir: string;
  /** `--base-url`, `TOKENCTL_BASE_URL`. */
  baseUrl: string | undefined;
  baseUrlSource: string;
  /** `--profile`, `TOKENCTL_PROFILE`. */
  profile: string | undefined;
  profileSource: string;
  keyFile: string | undefined;
  /** The keys of the environment. */
  keys: Keys;
  local: boolean;
  /** `--data-dir`, `TOKENCTL_DATA_DIR`. */
  dataDir: string | undefined;
  dataDirFlag: string | undefined;
  headerPrefix: string | undefined;
  /** Milliseconds for one request; undefined: the client's own default. */
  timeoutMs: number | undefined;
  proxies: { http: string | undefined; https: string | undefined; none: string | undefined };
  terminal: ProcessEnvironment['terminal'];
  /** Prompts may be shown. */
  interactive: boolean;
  ci: boolean;
  /** The environment, for what is handed on to a command or to the emulator. */
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  output: OutputSettings;
}

export interface OutputSettings {
  mode: OutputMode;
  /** `--json` or `--output` was given. */
  chosen: boolean;
  /** `--json` was given, with fields or without. */
  json: boolean;
  fields: string[] | undefined;
  jq: string | undefined;
  quiet: boolean;
  reveal: boolean;
  debug: boolean;
  /** Colour on stdout, and on stderr. */
  color: { stdout: boolean; stderr: boolean };
  /** A bar that redraws itself. */
  animate: boolean;
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

/** How to print. */
export function outputSettings(
  options: GlobalOptions,
  { env, terminal }: ProcessEnvironment,
): OutputSettings {
  const json = options.json !== undefined;
  const fields = typeof options.json === 'string' && options.json !== '' ? options.json : undefined;
  const colour = options.color !== false && !isSet(env.NO_COLOR) && env.TERM !== 'dumb';
  return {
    mode: (options.output as OutputMode | undefined) ?? (json || !terminal.stdout ? 'json' : 'table'),
    chosen: options.output !== undefined || json,
    json,
    fields: fields?.split(',').map((field) => field.trim()),
    jq: options.jq,
    quiet: options.quiet ?? false,
    reveal: options.reveal ?? false,
    debug: options.debug ?? false,
    color: { stdout: colour && terminal.stdout, stderr: colour && terminal.stderr },
    animate: terminal.stderr && env.TERM !== 'dumb' && !isSet(env.CI) && !options.quiet,
  };
}

type Environment = ProcessEnvironment['env'];

/** @throws {CliError} when it cannot stand in a header; the line feed that a secret store may add at its end is no part of it. */
function keyIn(env: Environment, name: string): string | undefined {
  const key = env[name]?.trim() || undefined;
  if (key === undefined || /^[!-~]+$/.test(key)) return key;
  throw usageError(`${name} must be printable ASCII characters without spaces.`);
}

/** As other programs read it: in lower case first, `host:port` without a scheme too. @throws {CliError} when it is no URL. */
function proxyIn(env: Environment, name: string): string | undefined {
  const proxy = env[name.toLowerCase()] || env[name] || undefined;
  if (proxy === undefined) return undefined;
  const url = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (URL.canParse(url)) return url;
  throw usageError(`${name} must be a URL such as http://proxy.example:3128.`);
}

/** @throws {CliError} when it is empty, as the value of a variable that is not set: it would mean this very directory. */
function dataDirFlag({ dataDir }: GlobalOptions): string | undefined {
  if (dataDir === '') throw usageError('--data-dir must not be empty.', 'Is a variable of the shell unset?');
  return dataDir;
}

/** @throws {CliError} when no header can start with it. */
function headerPrefix(options: GlobalOptions, { env }: ProcessEnvironment): string | undefined {
  const prefix = options.headerPrefix ?? (env.TOKENCTL_HEADER_PREFIX || undefined);
  if (prefix === undefined || /^[\w-]+$/.test(prefix)) return prefix;
  const source = options.headerPrefix === undefined ? 'TOKENCTL_HEADER_PREFIX' : '--header-prefix';
  throw usageError(`${source} must be letters, digits, - and _, such as SVC.`);
}

/** @throws {CliError} when a flag's value is not valid. */
export function readSettings(options: GlobalOptions, surroundings: ProcessEnvironment): Settings {
  const { env, terminal, cwd, platform } = surroundings;
  return {
    cwd,
    platform,
    env,
    configDir: resolveConfigDir(surroundings),
    baseUrl: options.baseUrl ?? (env.TOKENCTL_BASE_URL || undefined),
    baseUrlSource: options.baseUrl === undefined ? 'TOKENCTL_BASE_URL' : '--base-url',
    profile: options.profile ?? (env.TOKENCTL_PROFILE || undefined),
    profileSource: options.profile === undefined ? 'TOKENCTL_PROFILE' : '--profile',
    keyFile: options.keyFile,
    keys: {
      any: keyIn(env, 'TOKENCTL_API_KEY'),
      management: keyIn(env, 'TOKENCTL_MANAGEMENT_KEY'),
      private: keyIn(env, 'TOKENCTL_PRIVATE_KEY'),
    },
    local: options.local ?? false,
    dataDir: dataDirFlag(options) ?? (env.TOKENCTL_DATA_DIR || undefined),
    dataDirFlag: options.dataDir,
    headerPrefix: headerPrefix(options, surroundings),
    timeoutMs: options.timeout === undefined ? undefined : durationFlag(options.timeout, '--timeout'),
    proxies: {
      http: proxyIn(env, 'HTTP_PROXY'),
      https: proxyIn(env, 'HTTPS_PROXY'),
      none: env.no_proxy || env.NO_PROXY || undefined,
    },
    terminal,
    interactive: terminal.stdin && terminal.stderr && !isSet(env.CI) && options.input !== false,
    ci: isSet(env.CI),
    output: outputSettings(options, surroundings),
  };
}
