import type { PerApplication } from './control/state-file.js';
import { HEADER_PREFIX, HEADER_PREFIX_RULE } from './headers.js';

/** An origin as browsers send it in the `Origin` header; or every port of this machine, for development servers. */
export const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s*]+\/?$|^http:\/\/(?:localhost|127\.0\.0\.1):\*$/i;

/** What an allowed origin may look like; an asterisk alone is never accepted. */
export const ORIGIN_RULE =
  'must be an origin such as https://shop.example, http://localhost:* or http://127.0.0.1:*';

/** The options of `startEmulator()` whose values are data. Most are flags of `emulator start` too: each has a row below. */
export interface EmulatorSettings {
  /** TCP port; 0 selects a free one. Default 8787, or a free one when that is in use. */
  port?: number;
  /** Address to listen on. Default `127.0.0.1`. */
  host?: string;
  /** Serves https with this certificate (with its chain) and key, as PEM. Default: http. */
  tls?: { cert: string; key: string };
  /** `https://vault.example`: the URL of the emulator for clients, when a proxy or container has another. Default: where it listens. */
  publicUrl?: string;
  /** Directory of the state file, and of the data unless `memory`. Default: none; nothing outlives the process. */
  dataDir?: string;
  /** Keeps the data in memory only. Keys and the state file are still kept in `dataDir`, if there is one. */
  memory?: boolean;
  /** Keeps the data in a database, `postgres://user@host:5432/database` without a password. Needs `dataKey`. */
  storeUrl?: string;
  /** Milliseconds that a statement of the database may take before it counts as unavailable. Default 30,000. */
  statementTimeoutMs?: number;
  /** `sync` acknowledges a write after fdatasync; `os` leaves syncing to the operating system. Default `sync`. */
  durability?: 'sync' | 'os';
  /** Prefix of the service's header names. Default `SVC`. */
  headerPrefix?: string;
  /** Enforces rate limits. Default true. */
  rateLimit?: boolean;
  /** Factor for every rate limit. Default 1. */
  rateLimitScale?: number;
  /** Start time of the clock, in milliseconds since 1970. Default: the machine's time. */
  clock?: number;
  /** Monthly active tokens of the billing plan, for the usage report. Default 50. */
  includedMonthlyTokens?: number;
  /** Stands for this host as `tokenctl/processor`; `true` is `processor.example`. Default: none. */
  withProcessor?: string | true;
  /** Runtime of reactors; `node` is for trusted code only. Default `quickjs`. */
  reactorRuntime?: 'quickjs' | 'node';
  /** Runtime `node`: absolute path of the folder whose packages reactors may require. */
  reactorModules?: string;
  /** Names under which reactors may also require a provided module: `{ 'vendor-errors': 'svc-reactor-errors' }`. */
  moduleAliases?: Readonly<Record<string, string>>;
  /** Accepts what current clients send and the specification does not allow; docs/fidelity.md lists it. Default false. */
  lenient?: boolean;
  /** Marks the responses to what the API family has switched off, or refuses it; docs/fidelity.md lists it. Default: neither. */
  deprecated?: 'warn' | 'refuse';
  /** Refuses to store card numbers that are not those of test cards; docs/leaks.md lists them. Default false. */
  refuseRealCards?: boolean;
  /** With `refuseRealCards`: further test numbers, or prefixes of at least six digits: `453914*`. Default: none. */
  allowCards?: readonly string[];
  /** Remembers the values of tokens, so that the control endpoint `redact` can mask them in a text. Default false. */
  redacts?: boolean;
  /** Fixed keys for the seeded applications of a fresh data directory. Default: random. */
  keys?: Partial<PerApplication>;
  /** Origins whose pages may call the operations: `https://shop.example`, `http://localhost:*`. Default: none. */
  allowOrigins?: readonly string[];
  /** Base URL of a receiver of spans, OTLP over HTTP: `http://127.0.0.1:4318`. Default: none. */
  otlpEndpoint?: string;
}

/** How an option is set and what it accepts. The fields of a flag are those of `Flag` in `src/cli/flags/flag.ts`. */
export interface EmulatorOption {
  /** Help text of the flag. */
  description?: string;
  value?: string;
  list?: true;
  variadic?: true;
  integer?: true;
  optionalValue?: true;
  onByDefault?: true;
  choices?: readonly string[];
  suggest?: 'file';
  /** The setting, if it has another name than the flag. */
  setting?: keyof EmulatorSettings;
  /** An environment variable that sets it. */
  variable?: string;
  /** `src/cli/commands/emulator/options.ts` has a function for the flag, for example for a certificate and its key. */
  special?: true;
  /** Whether a value, or each item of a list, is accepted. */
  isValid?: (value: unknown) => boolean;
  /** What is accepted: `must be an integer from 0 to 65535`. */
  rule?: string;
  /** Converts the text of the flag; undefined when it is not valid. */
  parse?: (text: string) => unknown;
  /** What the text must be, if not `rule`. */
  textRule?: string;
  /** No error repeats the value. */
  sensitive?: true;
}

/** The latest time that a date can have, in milliseconds since 1970. */
const LATEST_TIME = 8.64e15;

const ISO_8601 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Parses an ISO 8601 time. A time without an offset is UTC, not local time. */
function parseTime(given: string): number | undefined {
  const [text, time, offset] = ISO_8601.exec(given) ?? [];
  const instant = Date.parse(time !== undefined && offset === undefined ? `${text}Z` : `${text}`);
  return Number.isNaN(instant) ? undefined : instant;
}

const isIntegerUpTo = (maximum: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maximum;

const POSITIVE = {
  isValid: (value: unknown) => Number.isFinite(value) && Number(value) > 0,
  rule: 'must be a number greater than 0',
} as const;

export const isHttpUrl = (value: unknown) =>
  typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value);

const oneOf = (one: string, other: string) => ({
  choices: [one, other],
  isValid: (value: unknown) => value === one || value === other,
  rule: `must be "${one}" or "${other}"`,
});

/** A port, or a host of this machine and a port: whoever reaches the inspector can run any code. */
export const INSPECTOR_ADDRESS =
  /^(?:(localhost|127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}|\[::1\]):)?(\d{1,5})$/;

/** The address of the inspector, which a flag may leave out. */
export const INSPECTOR_FLAG = {
  value: 'HOST:PORT',
  optionalValue: true,
  special: true,
  isValid: (address: unknown) => INSPECTOR_ADDRESS.test(String(address)),
  rule: 'must be a port, or a host of this machine and a port: 127.0.0.1:9229',
} as const;

/** A flag that names a file or folder. */
const PATH = { value: 'FILE', special: true, suggest: 'file' } as const;

/** A flag that can be repeated, or have several values. */
const SEVERAL = { list: true, variadic: true } as const;

/** Flags of `emulator start` alone: where it listens, and where its data is. */
export const START_FLAGS = {
  port: {
    value: 'N',
    integer: true,
    description: 'port; 0 picks a free one. Default: 8787, or a free one if that is in use',
    isValid: isIntegerUpTo(65_535),
    rule: 'must be an integer from 0 to 65535',
  },
  host: {
    value: 'ADDRESS',
    description: 'address to listen on, 127.0.0.1 by default',
    // With an empty host, Node.js would listen on every address.
    isValid: (host: unknown) => typeof host === 'string' && host !== '',
    rule: 'must be a host name or an IP address',
  },
  publicUrl: {
    value: 'URL',
    special: true,
    description: 'URL under which clients reach it, through a proxy or as a container',
    isValid: isHttpUrl,
    rule: 'must be an http or https URL, such as https://vault.example',
  },
  store: {
    value: 'URL',
    special: true,
    setting: 'storeUrl',
    variable: 'TOKENCTL_STORE',
    description:
      'keep the data in a PostgreSQL database, postgres://user@host/database (TOKENCTL_STORE); needs a data key',
  },
} as const satisfies Record<string, EmulatorOption>;

/** Flags of every command that starts an emulator. */
export const EMULATOR_FLAGS = {
  tlsCert: { ...PATH, description: 'serve https with this certificate (PEM)' },
  tlsKey: { ...PATH, description: 'private key of the certificate (PEM)' },
  memory: { description: 'keep data in memory only' },
  durability: {
    value: 'WHEN',
    ...oneOf('sync', 'os'),
    description:
      'when to acknowledge a write: once it is on disk (sync, the default) or once the operating system has it (os)',
  },
  encrypt: {
    ...PATH,
    value: 'KEY_FILE',
    optionalValue: true,
    description:
      'encrypt token data on disk with the key from this file, from TOKENCTL_DATA_KEY, or generated and kept in your user configuration',
  },
  seed: {
    ...PATH,
    description:
      'create the items in this file: { tokens, reactors, applications }, or a manifest (tokenctl.yaml), with made-up secrets',
  },
  rateLimit: { onByDefault: true, description: 'disable rate limits' },
  rateLimitScale: { value: 'N', description: 'multiply every rate limit', parse: Number, ...POSITIVE },
  clock: {
    value: 'ISO',
    description: 'start time of the clock, which then runs on',
    parse: parseTime,
    textRule: 'must be an ISO 8601 date or date-time',
    isValid: (time: unknown) => Number.isFinite(time) && Math.abs(Number(time)) <= LATEST_TIME,
    rule: 'must be a time in milliseconds since 1970',
  },
  allowNet: {
    value: 'HOST',
    special: true,
    ...SEVERAL,
    optionalValue: true,
    description:
      'hosts that reactors can connect to; without a value, all but link-local and metadata addresses',
  },
  denyNet: { special: true, description: 'block all network access of reactors, including loopback' },
  redirect: {
    value: 'HOST=URL',
    special: true,
    ...SEVERAL,
    description:
      'send what goes to this host (api.example.com, *.example.com, with or without :port) to a local stub, http://127.0.0.1:4010: requests of reactors and proxies, webhooks, callbacks',
  },
  withProcessor: {
    value: 'HOST',
    optionalValue: true,
    description:
      'answer what reactors, proxies and deliveries send to this host, processor.example by default, with the double of a card processor; tokenctl docs testing lists its cards',
    isValid: (host: unknown) => host === true || /^[\w*][\w.*:-]*$/.test(String(host)),
    rule: 'must be a host, such as api.example.com',
  },
  allowOrigin: {
    value: 'ORIGIN',
    ...SEVERAL,
    setting: 'allowOrigins',
    description:
      'allow pages of this origin, or of several, to call the service; http://localhost:* and http://127.0.0.1:* allow every port',
    isValid: (origin: unknown) => ORIGIN.test(String(origin)),
    rule: ORIGIN_RULE,
  },
  lenient: {
    description:
      'accept what current clients send and the specification does not allow; tokenctl docs fidelity lists it',
  },
  deprecated: {
    value: 'WHAT',
    description:
      'what the API family has switched off has headers that say so (warn), or is 410 (refuse); tokenctl docs fidelity lists it',
    ...oneOf('warn', 'refuse'),
  },
  refuseRealCards: {
    description: 'refuse card numbers other than those of test cards, which tokenctl docs leaks lists',
  },
  allowCard: {
    value: 'NUMBER',
    list: true,
    setting: 'allowCards',
    sensitive: true,
    description:
      'with --refuse-real-cards: accept this test card too, or all that begin with at least six digits and *: 453914*',
    isValid: (card: unknown) => /^(?:\d{13,19}|\d{6,18}\*)$/.test(String(card)),
    rule: 'must be a card number of 13 to 19 digits, or at least six digits and *',
  },
  includedMonthlyTokens: {
    value: 'N',
    integer: true,
    description: 'tokens included in the plan of the usage report, 50 by default',
    isValid: isIntegerUpTo(Number.MAX_SAFE_INTEGER),
    rule: 'must be an integer that is not negative',
  },
  reactorRuntime: {
    value: 'NAME',
    ...oneOf('quickjs', 'node'),
    description: 'runtime for reactors; node is for trusted code only',
  },
  inspect: {
    ...INSPECTOR_FLAG,
    description:
      'with --reactor-runtime node: let a debugger attach to reactors, at 127.0.0.1:9229 by default; they run one at a time and have no time limit',
  },
  reactorModules: {
    ...PATH,
    value: 'DIR',
    description: 'directory whose node_modules has packages that reactors can require',
  },
  moduleAlias: {
    value: 'NAME=MODULE',
    special: true,
    ...SEVERAL,
    description: 'let reactors require a provided module, such as svc-reactor-errors, by another name',
  },
  envFile: { ...PATH, description: 'environment variables for the emulator, one NAME=value per line' },
} as const satisfies Record<string, EmulatorOption>;

/** Every option that has a flag or a rule, by the name of its flag. */
export const EMULATOR_OPTIONS: Readonly<Record<string, EmulatorOption>> = {
  ...START_FLAGS,
  ...EMULATOR_FLAGS,
  headerPrefix: { isValid: (prefix) => HEADER_PREFIX.test(String(prefix)), rule: HEADER_PREFIX_RULE },
  statementTimeoutMs: POSITIVE,
  otlpEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    isValid: isHttpUrl,
    rule: 'must be an http or https URL, such as http://127.0.0.1:4318',
  },
};
