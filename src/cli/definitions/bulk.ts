import { type CommandRow, defineCommand } from '../command.js';
import { EXPORT_FLAGS, IMPORT_FLAGS } from '../flags/token-flags.js';

/** The commands that import and export tokens. */
export const bulkCommands: readonly CommandRow[] = [
  defineCommand({
    name: 'token import',
    summary: 'Create tokens from NDJSON or CSV',
    details: [
      'Each row is a create request. CSV columns: id, type, data or data.<field>, metadata or metadata.<key>, containers (separated by ";"), mask, search_indexes, fingerprint_expression, deduplicate_token, expires_at. Ids are kept, and the output of `token export` can be imported. Numbers are never changed: a data cell that JSON would write differently (1.10, 20 digits) is imported as text; elsewhere, a row whose numbers would be rounded is rejected.',
      'The source must be UTF-8, or UTF-16 with a byte order mark.',
      'Progress is saved in a checkpoint file, next to the source unless --checkpoint is given. After an interruption, run the same command again to resume; each row is imported exactly once. A file that was imported completely is not imported again until its checkpoint is deleted; the completed checkpoint of a pipe is refused, because a pipe cannot be recognized.',
      'The number of concurrent requests grows while the service keeps up and shrinks after a 429.',
    ].join('\n\n'),
    operations: ['tokenize', 'tokens.create'],
    arguments: { source: { suggest: 'file', description: 'source file, or - for standard input' } },
    flags: IMPORT_FLAGS,
    examples: {
      'Import a CSV file and collect rejected rows.':
        'tokenctl token import cards.csv --rejects rejected.csv',
      'Import from standard input, resumable.':
        'tokenctl token import - --checkpoint import.checkpoint < tokens.ndjson',
    },
    load: () => import('../commands/token/import.js'),
  }),
  defineCommand({
    name: 'token export',
    summary: 'Export tokens as NDJSON or CSV',
    details:
      'Exports all matching tokens. Data is masked unless --reveal is given; an export with --reveal can be imported, ids included. CSV has a column for each field of card and bank data, such as data.number; other data is JSON in the column data.',
    operations: ['tokens.list'],
    flags: EXPORT_FLAGS,
    examples: {
      'Export tokens for import elsewhere.': 'tokenctl token export --reveal --out tokens.ndjson',
      'Export masked cards for a spreadsheet.': 'tokenctl token export --type card --format csv > cards.csv',
    },
    load: () => import('../commands/token/export.js'),
  }),
];
