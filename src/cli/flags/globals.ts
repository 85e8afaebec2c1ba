import type { Flags, FlagValues } from './flag.js';

export const OUTPUT_MODES = ['table', 'json', 'ndjson', 'yaml'] as const;
export type OutputMode = (typeof OUTPUT_MODES)[number];

export const GLOBAL_FLAGS = {
  baseUrl: { value: 'URL', once: true, description: 'base URL of the target service (TOKENCTL_BASE_URL)' },
  profile: {
    value: 'NAME',
    once: true,
    description: 'profile that provides the service and keys (TOKENCTL_PROFILE)',
    suggest: 'profile',
  },
  environment: {
    value: 'NAME',
    once: true,
    description: 'environment of the project file: its service and the values that it overrides',
  },
  keyFile: { value: 'FILE', description: 'read the API key from a file', suggest: 'file' },
  local: { description: 'run the emulator in this process on --data-dir, without a server' },
  dataDir: {
    value: 'DIR',
    description: "the emulator's data directory (TOKENCTL_DATA_DIR)",
    suggest: 'file',
  },
  headerPrefix: {
    value: 'PREFIX',
    description: "prefix of the service's headers, SVC by default (TOKENCTL_HEADER_PREFIX)",
  },
  timeout: { value: 'DURATION', description: 'time limit for one request, 60s by default' },
  output: {
    value: 'MODE',
    short: 'o',
    choices: OUTPUT_MODES,
    description: 'output format; table on a terminal, json otherwise',
  },
  json: {
    value: 'FIELDS',
    optionalValue: true,
    description: 'print JSON, optionally only these fields (id,metadata.customer)',
  },
  jq: {
    value: 'EXPR',
    description: 'filter the JSON with a jq expression; with -o ndjson, one result per line',
  },
  wide: { description: 'show whole tables, however narrow the terminal is' },
  localTime: { description: 'show times of tables in the time zone of this machine' },
  utc: { description: 'show times of tables in UTC; on a terminal they are relative otherwise' },
  reveal: { description: 'show token data unmasked' },
  yes: { short: 'y', description: 'skip confirmations; required for them without a terminal' },
  insecure: { description: 'allow sending keys over plain http to other machines' },
  quiet: { short: 'q', description: 'suppress notices and progress' },
  debug: { description: 'print requests and timings on stderr, never data or keys' },
  color: { onByDefault: true, description: 'disable colors (also NO_COLOR, TERM=dumb)' },
  input: { onByDefault: true, description: 'disable prompts' },
} as const satisfies Flags;

export type GlobalOptions = FlagValues<typeof GLOBAL_FLAGS>;

export const PAGE_FLAGS = {
  page: { value: 'N', integer: true, description: 'page number, from 1' },
  size: { value: 'N', integer: true, description: 'items per page, 1 to 100, 20 by default' },
  limit: { value: 'N', integer: true, minimum: 1, description: 'list the first N items, across pages' },
  all: { description: 'list all items, across pages' },
} as const satisfies Flags;

export type PageOptions = FlagValues<typeof PAGE_FLAGS>;

export const CURSOR_FLAGS = {
  ...PAGE_FLAGS,
  cursor: {
    value: 'NEXT',
    optionalValue: true,
    description: 'page by cursor, which new tokens do not move; without a value, the first page',
  },
} as const satisfies Flags;

export type CursorOptions = FlagValues<typeof CURSOR_FLAGS>;
