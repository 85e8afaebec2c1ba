import { TOKEN_TYPE_NAMES } from '../../contract/token-types.js';
import { type CommandRow, defineCommand, from } from '../command.js';
import { CURSOR_FLAGS } from '../flags/globals.js';
import { CONTENT_FLAGS, EXPORT_FLAGS, FILTER_FLAGS, IMPORT_FLAGS } from '../flags/token-flags.js';

const writeModule = () => import('../commands/token/write.js');
const readModule = () => import('../commands/token/read.js');
const tokenizeModule = () => import('../commands/tokenize.js');
const enrichmentModule = () => import('../commands/token/enrichment.js');
const importModule = () => import('../commands/token/import.js');
const exportModule = () => import('../commands/token/export.js');
const deleteModule = () => import('../commands/token/delete.js');

const bulkCommands: readonly CommandRow[] = [
  defineCommand('token import', from(importModule, 'run'), {
    summary: 'Create tokens from NDJSON or CSV',
    details: [
      'Each row is a create request. CSV columns: id, type, data or data.<field>, metadata or metadata.<key>, containers (separated by ";"), mask, search_indexes, fingerprint_expression, deduplicate_token, expires_at. Ids are kept, and the output of `token export` can be imported. Numbers are never changed: a data cell that JSON would write differently (1.10, 20 digits) is imported as text; elsewhere, a row whose numbers would be rounded is rejected.',
      'The source must be UTF-8, or UTF-16 with a byte order mark.',
      'Progress is saved in a checkpoint file, next to the source unless --checkpoint is given. After an interruption, run the same command again to resume; each row is imported exactly once. A file that was imported completely is not imported again until its checkpoint is deleted, or the service has lost its tokens (an emulator that was reset); the completed checkpoint of a pipe is refused, because a pipe cannot be recognized.',
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
  }),
  defineCommand('token export', from(exportModule, 'run'), {
    summary: 'Export tokens as NDJSON or CSV',
    details:
      'Exports all matching tokens. Data is masked unless --reveal is given; an export with --reveal can be imported, ids included. CSV has a column for each field of card and bank data, such as data.number; other data is JSON in the column data.',
    operations: ['tokens.list'],
    flags: EXPORT_FLAGS,
    examples: {
      'Export tokens for import elsewhere.': 'tokenctl token export --reveal --out tokens.ndjson',
      'Export masked cards for a spreadsheet.': 'tokenctl token export --type card --format csv > cards.csv',
    },
  }),
];

export const commands: readonly CommandRow[] = [
  defineCommand('token create', from(writeModule, 'createToken'), {
    details:
      'The response shows the data masked. On a terminal, missing values are prompted for; sensitive input is hidden.',
    prints: 'tokens.create',
    flags: {
      type: {
        value: 'TYPE',
        suggest: TOKEN_TYPE_NAMES,
        description: `token type: ${TOKEN_TYPE_NAMES.join(', ')}`,
      },
      ...CONTENT_FLAGS,
      id: { value: 'ID', description: 'token id, a literal or an expression; a UUID by default' },
      intent: { value: 'ID', description: 'token intent to convert, in place of type and data' },
    },
    examples: {
      'Read a card from a file to keep its number out of the shell history.':
        'tokenctl token create --type card --data @card.json --metadata customer=C-1042',
      'Create a bank account field by field.':
        'tokenctl token create --type bank --field routing_number=021000021 --field account_number=000123456789',
      'Read the data from another program.': `echo '"secret"' | tokenctl token create --type token --data - --json id`,
    },
  }),
  defineCommand('token get', from(readModule, 'getTokens'), {
    summary: 'Get tokens by id',
    prints: 'tokens.get',
    arguments: { id: { variadic: true, suggest: 'token', description: 'one or more token ids' } },
    examples: {
      'Get a token with masked data.': 'tokenctl token get customer-1042-card',
      'Print the number of a card.': 'tokenctl token get customer-1042-card --reveal --jq .data.number',
    },
  }),
  defineCommand('token list', from(readModule, 'listTokens'), {
    prints: 'tokens.list',
    operations: ['tokens.listByCursor'],
    flags: {
      ...FILTER_FLAGS,
      metadata: {
        value: 'KEY=VALUE',
        list: true,
        description: 'only tokens whose metadata has this value, ignoring case; several must all match',
      },
      ...CURSOR_FLAGS,
    },
    examples: {
      'List the tokens of a customer.': 'tokenctl token list --metadata customer=C-1042',
      'List all cards, one JSON object per line.': 'tokenctl token list --type card --all -o ndjson',
    },
  }),
  defineCommand('token update', from(writeModule, 'updateTokens'), {
    summary: 'Update tokens by merge patch (RFC 7386)',
    aliases: ['patch'],
    prints: 'tokens.update',
    arguments: { id: { variadic: true, suggest: 'token', description: 'one or more token ids' } },
    flags: {
      patch: { value: 'JSON|@FILE|-', description: 'merge patch, to which the other flags are added' },
      ...CONTENT_FLAGS,
    },
    examples: {
      'Set one metadata entry and keep the others.':
        'tokenctl token update customer-1042-card --metadata verified=yes',
      'Remove a metadata entry with null in a merge patch.': `tokenctl token update customer-1042-card --patch '{"metadata":{"verified":null}}'`,
    },
  }),
  defineCommand('token delete', from(deleteModule, 'run'), {
    summary: 'Delete tokens permanently',
    details:
      'With --query, deletes all tokens that a search finds (see `token search`). The tokens are counted before you are asked. After an interruption, the same command finds those that are left.',
    operations: ['tokens.delete', 'tokens.search'],
    arguments: {
      id: { variadic: true, optional: true, suggest: 'token', description: 'one or more token ids' },
    },
    flags: {
      query: { value: 'QUERY', description: 'all tokens that this Lucene query finds' },
    },
    examples: {
      'Delete without confirmation.': 'tokenctl token delete customer-1042-bank --yes',
      'Delete all tokens of a customer.': `tokenctl token delete --query 'metadata.customer:"C-1042"' --yes`,
    },
  }),
  defineCommand('token search', from(readModule, 'searchTokens'), {
    details:
      'Fields: id, type, container, fingerprint, data (an exact match on a search index), metadata.<key>, created_at, modified_at, created_by, modified_by; with AND, OR, NOT, parentheses, quotes, ranges on dates and trailing wildcards.',
    prints: 'tokens.search',
    operations: ['tokens.searchByCursor'],
    arguments: { query: { optional: true, description: 'the query; all tokens by default' } },
    flags: CURSOR_FLAGS,
    examples: {
      'Search the cards of a customer.': `tokenctl token search 'type:card AND metadata.customer:"C-1042"'`,
    },
  }),
  defineCommand('tokenize', from(tokenizeModule, 'tokenize'), {
    details:
      'Each primitive value is stored as a token and replaced by its id. An object with `type` and `data` is a create request and is replaced by the token.',
    operations: ['tokenize'],
    arguments: { source: { suggest: 'file', description: 'JSON file, or - for standard input' } },
    examples: { 'Tokenize every value.': `echo '{"name":"Ada","ssn":"078-05-1120"}' | tokenctl tokenize -` },
  }),
  defineCommand('detokenize', from(tokenizeModule, 'detokenize'), {
    details: 'Values from tokens are hidden unless --reveal is given.',
    operations: ['detokenize'],
    arguments: { source: { suggest: 'file', description: 'JSON file, or - for standard input' } },
    examples: {
      'Insert the data of a token into other JSON.': `echo '{"card":"{{ customer-1042-card }}"}' | tokenctl detokenize - --reveal`,
    },
  }),
  defineCommand('token card-details', from(enrichmentModule, 'getCardDetails'), {
    prints: 'enrichments.cardDetails',
    arguments: { bin: { description: 'the first 6 to 8 digits of a card number' } },
    examples: { 'The brand of a BIN.': 'tokenctl token card-details 424242 --jq .brand' },
  }),
  defineCommand('token verify-account', from(enrichmentModule, 'verifyBankAccount'), {
    prints: 'enrichments.verifyBankAccount',
    arguments: { token: { description: 'id of a token of a bank account', suggest: 'token' } },
    flags: {
      routingNumber: { value: 'NUMBER', description: 'of a token of type us_bank_account_number' },
    },
    examples: {
      'Whether it can receive money.': 'tokenctl token verify-account customer-1042-bank --jq .status',
    },
  }),
  ...bulkCommands,
];
