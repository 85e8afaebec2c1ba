import type { ApiKeys } from '../../client/connection.js';
import { HEADER_PREFIX, HEADER_PREFIX_RULE } from '../../contract/headers.js';
import type { GlobalOptions, OutputMode } from '../flags/globals.js';
import { durationFlag } from '../lib/durations.js';
import { usageError } from '../lib/errors.js';
import { isGitHubActions } from '../lib/github.js';
import { resolveConfigDir } from './paths.js';
import type { ProcessEnvironment } from './process-environment.js';

const DEFAULT_WIDTH = 80;

/** Variables that CI services and agents set for the commands that they run: nobody answers prompts there. */
const UNATTENDED = [
  ...['CI', 'TF_BUILD', 'JENKINS_URL', 'TEAMCITY_VERSION'],
  ...['AGENT', 'AI_AGENT', 'CLAUDECODE', 'CODEX_SANDBOX', 'CODEX_THREAD_ID', 'CURSOR_AGENT'],
  ...['GEMINI_CLI', 'OPENCODE', 'AUGMENT_AGENT'],
];

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

export type OutputSettings = ReturnType<typeof outputSettings>;

/** Reads the output settings. Never throws, because errors are printed with them. */
export function outputSettings(options: GlobalOptions, { env, terminal }: ProcessEnvironment) {
  const json = options.json !== undefined;
  const fields = typeof options.json === 'string' && options.json !== '' ? options.json : undefined;
  const color = options.color !== false && !isSet(env.NO_COLOR) && env.TERM !== 'dumb';
  return {
    mode: (options.output as OutputMode | undefined) ?? (json || !terminal.stdout ? 'json' : 'table'),
    chosen: options.output !== undefined || json,
    json,
    fields: fields?.split(',').map((field) => field.trim()),
    jq: options.jq,
    quiet: options.quiet ?? false,
    reveal: options.reveal ?? false,
    debug: options.debug ?? false,
    color: { stdout: color && terminal.stdout, stderr: color && terminal.stderr },
    // Columns of the terminal that tables fit. Off a terminal nothing is cut.
    width: options.wide || !terminal.stdout ? Number.POSITIVE_INFINITY : (terminal.columns ?? DEFAULT_WIDTH),
    // How tables show times: relative to now, in the time zone of this machine, or as the service has them.
    times: options.utc ? 'utc' : options.localTime ? 'local' : terminal.stdout ? 'relative' : 'utc',
    animate: terminal.stderr && env.TERM !== 'dumb' && !options.quiet,
    inWorkflow: isGitHubActions(env),
  } as const;
}

type Environment = ProcessEnvironment['env'];

/** Reads an API key, without the line feed that a secret store may append. @throws {CliError} when no header can carry it */
function keyIn(env: Environment, name: string): string | undefined {
  const key = env[name]?.trim() || undefined;
  if (key === undefined || /^[!-~]+$/.test(key)) return key;
  throw usageError(`${name} must consist of printable ASCII characters without spaces.`);
}

function isProxyUrl(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    decodeURIComponent(username + password);
    return /^https?:$/.test(protocol);
  } catch {
    return false;
  }
}

/** Reads a proxy like other programs do: the lower-case name takes precedence, and the scheme is optional. @throws {CliError} */
function proxyIn(env: Environment, name: string): string | undefined {
  const [variable, proxy] = env[name.toLowerCase()]
    ? [name.toLowerCase(), env[name.toLowerCase()]]
    : [name, env[name]];
  if (!proxy) return undefined;
  const url = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (isProxyUrl(url)) return url;
  throw usageError(
    `${variable} must be an http or https URL such as http://proxy.example:3128.`,
    'Percent-encode special characters of a user name or password.',
  );
}

/** @throws {CliError} when it is empty, like an unset shell variable, because it would mean the current directory */
function dataDirFlag({ dataDir }: GlobalOptions): string | undefined {
  if (dataDir === '') throw usageError('--data-dir must not be empty.', 'Is a shell variable unset?');
  return dataDir;
}

function headerPrefix(options: GlobalOptions, { env }: ProcessEnvironment): string | undefined {
  const prefix = options.headerPrefix ?? (env.TOKENCTL_HEADER_PREFIX || undefined);
  if (prefix === undefined || HEADER_PREFIX.test(prefix)) return prefix;
  const source = options.headerPrefix === undefined ? 'TOKENCTL_HEADER_PREFIX' : '--header-prefix';
  throw usageError(`${source} ${HEADER_PREFIX_RULE}.`);
}

/** Lists the environment variables that provide keys. `TOKENCTL_API_KEY` is for every operation. */
export function keyVariables(env: Environment): string[] {
  if (env.TOKENCTL_API_KEY) return ['TOKENCTL_API_KEY'];
  return ['TOKENCTL_MANAGEMENT_KEY', 'TOKENCTL_PRIVATE_KEY'].filter((name) => env[name]);
}

/** The settings from flags and environment. They are read once; nothing else reads the environment. */
export type Settings = ReturnType<typeof readSettings>;

export function readSettings(options: GlobalOptions, environment: ProcessEnvironment) {
  const { env, terminal, cwd, platform } = environment;
  const keys: ApiKeys = {
    any: keyIn(env, 'TOKENCTL_API_KEY'),
    management: keyIn(env, 'TOKENCTL_MANAGEMENT_KEY'),
    private: keyIn(env, 'TOKENCTL_PRIVATE_KEY'),
  };
  return {
    cwd,
    platform,
    env,
    configDir: resolveConfigDir(environment),
    baseUrl: options.baseUrl ?? (env.TOKENCTL_BASE_URL || undefined),
    baseUrlSource: options.baseUrl === undefined ? 'TOKENCTL_BASE_URL' : '--base-url',
    profile: options.profile ?? (env.TOKENCTL_PROFILE || undefined),
    profileSource: options.profile === undefined ? 'TOKENCTL_PROFILE' : '--profile',
    environment: options.environment,
    keyFile: options.keyFile,
    keys,
    local: options.local ?? false,
    yes: options.yes ?? false,
    insecure: options.insecure ?? false,
    dataDir: dataDirFlag(options) ?? (env.TOKENCTL_DATA_DIR || undefined),
    dataDirFlag: options.dataDir,
    headerPrefix: headerPrefix(options, environment),
    // Of one request; undefined for the default of the client.
    timeoutMs: options.timeout === undefined ? undefined : durationFlag(options.timeout, '--timeout'),
    proxies: {
      // Read when they are used: a proxy of another kind does not disable what runs on this machine.
      get http() {
        return proxyIn(env, 'HTTP_PROXY');
      },
      get https() {
        return proxyIn(env, 'HTTPS_PROXY');
      },
      none: env.no_proxy || env.NO_PROXY || undefined,
    },
    terminal,
    interactive:
      terminal.stdin &&
      terminal.stderr &&
      options.input !== false &&
      !UNATTENDED.some((name) => isSet(env[name])),
    output: outputSettings(options, environment),
  };
}
