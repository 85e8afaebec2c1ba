import type { Flags, OptionsOf } from './flag.js';

export const OUTPUT_MODES = ['table', 'json', 'ndjson', 'yaml'] as const;
export type OutputMode = (typeof OUTPUT_MODES)[number];

/** Flags that every command takes. */
export const GLOBAL_FLAGS = {
  baseUrl: { value: 'URL', description: 'the service to talk to (TOKENCTL_BASE_URL)' },
  profile: {
    value: 'NAME',
    description: 'the profile to take service and keys from (TOKENCTL_PROFILE)',
    suggest: 'profile',
  },
  keyFile: { value: 'FILE', description: 'read the API key from a file', suggest: 'file' },
  local: { description: 'use the emulator in this process on --data-dir, without a server' },
  dataDir: {
    value: 'DIR',
    description: "the emulator's data directory (TOKENCTL_DATA_DIR)",
    suggest: 'file',
  },
  headerPrefix: {
    value: 'PREFIX',
    description: "what the service's headers start with, SVC by default (TOKENCTL_HEADER_PREFIX)",
  },
  timeout: { value: 'DURATION', description: 'how long one request may take, 60s by default' },
  output: {
    value: 'MODE',
    short: 'o',
    choices: OUTPUT_MODES,
    description: 'how to print: table on a terminal, json otherwise',
  },
  json: {
    value: 'FIELDS',
    optionalValue: true,
    description: 'print JSON, of these fields only when named (id,metadata.customer)',
  },
  jq: {
    value: 'EXPR',
    description: 'filter the JSON through a jq expression; with -o ndjson each result on a line',
  },
  reveal: { description: 'show token data instead of its masked form' },
  quiet: { short: 'q', description: 'print no notices and no progress' },
  debug: { description: 'print requests and timings to stderr, never data or keys' },
  color: { onByDefault: true, description: 'no colour (also NO_COLOR, TERM=dumb)' },
  input: { onByDefault: true, description: 'never prompt' },
} as const satisfies Flags;

export type GlobalOptions = OptionsOf<typeof GLOBAL_FLAGS, Record<never, never>>;

/** Of commands that delete: without a terminal they need it. */
export const YES_FLAG = { yes: { short: 'y', description: 'do not ask' } } as const satisfies Flags;

/** Of commands that list. */
export const PAGE_FLAGS = {
  page: { value: 'N', integer: true, description: 'which page, from 1' },
  size: { value: 'N', integer: true, description: 'how many per page, 1 to 100, 20 by default' },
  limit: { value: 'N', integer: true, description: 'the first N, over as many pages as it takes' },
  all: { description: 'all of them, over as many pages as it takes' },
} as const satisfies Flags;
