import { TOKEN_TYPE_NAMES } from '../../contract/token-types.js';
import { type CommandRow, defineCommand } from '../command.js';

const FORMATS = ['ndjson', 'csv'] as const;

/** Tokens in bulk. */
export const bulkCommands: readonly CommandRow[] = [
  defineCommand({
    name: 'token import',
    summary: 'Create tokens from NDJSON or CSV',
    details: [
      'Each row is a create request. Columns of CSV: id, type, data or data.<field>, metadata or metadata.<key>, containers (separated by ";"), mask, search_indexes, fingerprint_expression, deduplicate_token, expires_at. Ids are taken over; what `token export` writes can be imported. A number stays what was written: in a cell of data, one that JSON would write in another way (1.10, 20 digits) is text; elsewhere a row whose numbers would be rounded is rejected.',
      'The text is UTF-8, or UTF-16 with its byte order mark.',
      'How far it came is kept in a checkpoint, beside the file unless --checkpoint names another. Killed at any moment, the same command goes on, and each row ends up exactly once; a file that is complete is not imported a second time until its checkpoint is deleted.',
      'It sends more at a time while the service keeps up, and less after a 429.',
    ].join('\n\n'),
    operations: ['tokenize', 'tokens.create'],
    arguments: { source: { suggest: 'file', description: 'the file, or - for standard input' } },
    flags: {
      format: {
        value: 'FORMAT',
        choices: FORMATS,
        description: 'ndjson or csv; by the ending when left out',
      },
      type: { value: 'TYPE', suggest: TOKEN_TYPE_NAMES, description: 'token type of rows that name none' },
      checkpoint: { value: 'FILE', suggest: 'file', description: 'where to keep how far it came' },
      rejects: {
        value: 'FILE',
        suggest: 'file',
        description: 'collect refused rows with the reason, in the format of the source; it holds their data',
      },
      batch: {
        value: 'N',
        integer: true,
        description: 'rows per request, 100 by default; 1 uses POST /tokens',
      },
      concurrency: { value: 'N', integer: true, description: 'requests at a time at most, 8 by default' },
    },
    examples: [
      {
        does: 'Refused rows go to a file.',
        command: 'tokenctl token import cards.csv --rejects rejected.csv',
      },
      {
        does: 'From another program, resumable.',
        command: 'tokenctl token import - --checkpoint import.checkpoint < tokens.ndjson',
      },
    ],
    load: () => import('../commands/token/import.js'),
  }),
  defineCommand({
    name: 'token export',
    summary: 'Write tokens as NDJSON or CSV',
    details:
      'All tokens that match, page by page. Data is masked unless --reveal is given; what --reveal writes can be imported, ids included.',
    operations: ['tokens.list'],
    flags: {
      format: {
        value: 'FORMAT',
        choices: FORMATS,
        description: 'ndjson or csv; by the ending of --out when left out',
      },
      out: { value: 'FILE', suggest: 'file', description: 'write to a file, readable by you alone' },
      id: { value: 'ID', list: true, suggest: 'token', description: 'of these ids' },
      metadata: { value: 'KEY=VALUE', list: true, description: 'whose metadata has this value, in any case' },
      type: { value: 'TYPE', suggest: TOKEN_TYPE_NAMES, description: 'of this type' },
      container: { value: 'PATH', description: 'in or below this container' },
    },
    examples: [
      {
        does: 'A copy that can be imported elsewhere.',
        command: 'tokenctl token export --reveal --out tokens.ndjson',
      },
      {
        does: 'Masked, for a spreadsheet.',
        command: 'tokenctl token export --type card --format csv > cards.csv',
      },
    ],
    load: () => import('../commands/token/export.js'),
  }),
];
