import { TOKEN_TYPE_NAMES } from '../../contract/token-types.js';
import { type CommandRow, defineCommand } from '../command.js';
import type { Flags } from '../flags/flag.js';
import { PAGE_FLAGS, YES_FLAG } from '../flags/globals.js';

/** Shared by create and update. */
const CONTENT_FLAGS = {
  data: { value: 'JSON|@FILE|-', description: 'the data: JSON, a file of it, or standard input' },
  field: {
    value: 'NAME=VALUE',
    list: true,
    description: 'one property of the data, typed by the token type; leading zeros are kept',
  },
  mask: { value: 'EXPR|JSON|@FILE', description: 'mask expression or structure; "null" removes it' },
  container: { value: 'PATH', list: true, description: 'container, such as /pci/high/' },
  metadata: { value: 'KEY=VALUE', list: true, description: 'metadata; never sensitive data' },
  searchIndex: { value: 'EXPR', list: true, description: 'expression whose value can be searched for' },
  fingerprintExpression: { value: 'EXPR', description: 'expression of what to fingerprint' },
  deduplicate: {
    negatable: true,
    description: 'return an equal token instead of storing a second one',
    negation: 'store a second one, whatever the tenant says',
  },
  expiresAt: { value: 'TIME', description: 'ISO 8601, "12/31/2030", or "12/31/2030 1:30:00 PM +02:00"' },
} as const satisfies Flags;

export const tokenCommands: readonly CommandRow[] = [
  defineCommand({
    name: 'token create',
    summary: 'Create a token',
    details:
      'The answer shows the data masked. On a terminal, what is not given is asked for, sensitive fields without showing them.',
    operations: ['tokens.create'],
    flags: {
      type: { value: 'TYPE', suggest: TOKEN_TYPE_NAMES, description: `${TOKEN_TYPE_NAMES.join(', ')}` },
      ...CONTENT_FLAGS,
      id: { value: 'ID', description: 'the id, literal or an expression; a UUID when left out' },
    },
    examples: [
      {
        does: 'A card from a file, so that the number is in no shell history.',
        command: 'tokenctl token create --type card --data @card.json --metadata customer=C-1042',
      },
      {
        does: 'A bank account, field by field.',
        command:
          'tokenctl token create --type bank --field routing_number=021000021 --field account_number=000123456789',
      },
      {
        does: 'Data from another program.',
        command: `echo '"secret"' | tokenctl token create --type token --data - --json id`,
      },
    ],
    load: () => import('../commands/token/create.js'),
  }),
  defineCommand({
    name: 'token get',
    summary: 'Get tokens by id',
    operations: ['tokens.get'],
    arguments: { id: { variadic: true, suggest: 'token', description: 'one or more token ids' } },
    examples: [
      { does: 'The data is masked.', command: 'tokenctl token get customer-1042-card' },
      {
        does: 'The data itself.',
        command: 'tokenctl token get customer-1042-card --reveal --jq .data.number',
      },
    ],
    load: () => import('../commands/token/get.js'),
  }),
  defineCommand({
    name: 'token list',
    summary: 'List tokens',
    operations: ['tokens.list'],
    flags: {
      id: { value: 'ID', list: true, suggest: 'token', description: 'of these ids' },
      metadata: {
        value: 'KEY=VALUE',
        list: true,
        description: 'whose metadata has this value, in any case; several must all match',
      },
      type: { value: 'TYPE', suggest: TOKEN_TYPE_NAMES, description: 'of this type' },
      container: { value: 'PATH', description: 'in or below this container' },
      ...PAGE_FLAGS,
    },
    examples: [
      { does: 'What belongs to a customer.', command: 'tokenctl token list --metadata customer=C-1042' },
      {
        does: 'Every card, one JSON object per line.',
        command: 'tokenctl token list --type card --all -o ndjson',
      },
    ],
    load: () => import('../commands/token/list.js'),
  }),
  defineCommand({
    name: 'token update',
    summary: 'Update tokens by merge patch (RFC 7386)',
    aliases: ['patch'],
    operations: ['tokens.update'],
    arguments: { id: { variadic: true, suggest: 'token', description: 'one or more token ids' } },
    flags: {
      patch: { value: 'JSON|@FILE|-', description: 'the whole merge patch; flags are added to it' },
      ...CONTENT_FLAGS,
    },
    examples: [
      {
        does: 'One entry of the metadata; the others stay.',
        command: 'tokenctl token update customer-1042-card --metadata verified=yes',
      },
      {
        does: 'Remove an entry: null in a merge patch.',
        command: `tokenctl token update customer-1042-card --patch '{"metadata":{"verified":null}}'`,
      },
    ],
    load: () => import('../commands/token/update.js'),
  }),
  defineCommand({
    name: 'token delete',
    summary: 'Delete tokens for good',
    operations: ['tokens.delete'],
    arguments: { id: { variadic: true, suggest: 'token', description: 'one or more token ids' } },
    flags: YES_FLAG,
    examples: [{ does: 'Without being asked.', command: 'tokenctl token delete customer-1042-bank --yes' }],
    load: () => import('../commands/token/delete.js'),
  }),
  defineCommand({
    name: 'token search',
    summary: 'Search tokens with a Lucene query',
    details:
      'Fields: id, type, container, fingerprint, data (an exact match on a search index), metadata.<key>, created_at, modified_at, created_by, modified_by; with AND, OR, NOT, parentheses, quotes, ranges on dates and trailing wildcards.',
    operations: ['tokens.search'],
    arguments: { query: { optional: true, description: 'the query; everything when left out' } },
    flags: PAGE_FLAGS,
    examples: [
      {
        does: 'The cards of a customer.',
        command: `tokenctl token search 'type:card AND metadata.customer:"C-1042"'`,
      },
    ],
    load: () => import('../commands/token/search.js'),
  }),
  defineCommand({
    name: 'tokenize',
    summary: 'Tokenize any JSON, all or nothing',
    details:
      'A primitive becomes a token and is replaced by its id; an object with `type` and `data` is a create request and is replaced by the token.',
    operations: ['tokenize'],
    arguments: { source: { suggest: 'file', description: 'a file of JSON, or - for standard input' } },
    examples: [
      {
        does: 'Each value becomes a token.',
        command: `echo '{"name":"Ada","ssn":"078-05-1120"}' | tokenctl tokenize -`,
      },
    ],
    load: () => import('../commands/tokenize.js'),
  }),
  defineCommand({
    name: 'detokenize',
    summary: 'Replace the detokenization expressions in any JSON',
    details: 'What came from tokens is hidden unless --reveal is given.',
    operations: ['detokenize'],
    arguments: { source: { suggest: 'file', description: 'a file of JSON, or - for standard input' } },
    examples: [
      {
        does: 'The data of a token within other JSON.',
        command: `echo '{"card":"{{ customer-1042-card }}"}' | tokenctl detokenize - --reveal`,
      },
    ],
    load: () => import('../commands/detokenize.js'),
  }),
];
