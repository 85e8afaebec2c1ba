import { TOKEN_TYPE_NAMES } from '../../contract/token-types.js';
import type { Flags, FlagValues } from './flag.js';

export const CONTENT_FLAGS = {
  data: { value: 'JSON|@FILE|-', description: 'data as JSON, from a file, or from standard input' },
  field: {
    value: 'NAME=VALUE',
    list: true,
    description: 'one property of the data, typed by the token type; leading zeros are kept',
  },
  mask: { value: 'EXPR|JSON|@FILE', description: 'mask expression or structure; "null" removes the mask' },
  container: { value: 'PATH', list: true, description: 'container, such as /pci/high/' },
  metadata: { value: 'KEY=VALUE', list: true, description: 'metadata; must not be sensitive' },
  searchIndex: { value: 'EXPR', list: true, description: 'expression whose value becomes searchable' },
  fingerprintExpression: { value: 'EXPR', description: 'expression whose value is fingerprinted' },
  deduplicate: {
    negatable: true,
    description: 'return an existing token with the same fingerprint instead of creating another',
    negation: 'always create a token, whatever the tenant setting',
  },
  expiresAt: { value: 'TIME', description: 'ISO 8601, "12/31/2030", or "12/31/2030 1:30:00 PM +02:00"' },
} as const satisfies Flags;

export type ContentOptions = FlagValues<typeof CONTENT_FLAGS>;

export const FILTER_FLAGS = {
  id: { value: 'ID', list: true, suggest: 'token', description: 'only tokens with these ids' },
  metadata: {
    value: 'KEY=VALUE',
    list: true,
    description: 'only tokens whose metadata has this value, ignoring case',
  },
  type: { value: 'TYPE', suggest: TOKEN_TYPE_NAMES, description: 'only tokens of this type' },
  container: { value: 'PATH', description: 'only tokens in or below this container' },
} as const satisfies Flags;

export type FilterOptions = FlagValues<typeof FILTER_FLAGS>;

const FORMATS = ['ndjson', 'csv'] as const;

export const IMPORT_FLAGS = {
  format: {
    value: 'FORMAT',
    choices: FORMATS,
    description: 'ndjson or csv; determined by the file name by default',
  },
  type: { value: 'TYPE', suggest: TOKEN_TYPE_NAMES, description: 'token type of rows without a type' },
  checkpoint: { value: 'FILE', suggest: 'file', description: 'file that stores the progress' },
  rejects: {
    value: 'FILE',
    suggest: 'file',
    description:
      'write rejected rows and the reasons to a file, in the format of the source; the file contains their data',
  },
  batch: {
    value: 'N',
    integer: true,
    minimum: 1,
    maximum: 1_000,
    description: 'rows per request, 100 by default; 1 uses POST /tokens',
  },
  concurrency: {
    value: 'N',
    integer: true,
    minimum: 1,
    maximum: 64,
    description: 'maximum number of concurrent requests, 8 by default',
  },
} as const satisfies Flags;

export const EXPORT_FLAGS = {
  format: {
    value: 'FORMAT',
    choices: FORMATS,
    description: 'ndjson or csv; determined by the name in --out by default',
  },
  out: { value: 'FILE', suggest: 'file', description: 'write to a file that only you can read' },
  ...FILTER_FLAGS,
} as const satisfies Flags;

export type ExportOptions = FlagValues<typeof EXPORT_FLAGS>;
