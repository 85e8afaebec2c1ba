import { TOKEN_TYPE_NAMES } from '../../contract/token-types.js';
import { type CommandRow, defineCommand, from } from '../command.js';
import { CONTENT_FLAGS } from '../flags/token-flags.js';

const tokenIntentModule = () => import('../commands/token-intent.js');

const { data, field } = CONTENT_FLAGS;
const INTENT = { description: 'one or more ids of token intents', variadic: true } as const;

export const commands: readonly CommandRow[] = [
  defineCommand('token-intent create', from(tokenIntentModule, 'createTokenIntent'), {
    details: 'No response shows its data. `token create --intent` converts it, once.',
    prints: 'tokenIntents.create',
    flags: {
      type: { value: 'TYPE', suggest: TOKEN_TYPE_NAMES, description: 'type of the token' },
      ...{ data, field },
    },
    examples: {
      'Print the id of a card that may become a token.':
        'tokenctl token-intent create --type card --data @card.json --json id',
    },
  }),
  defineCommand('token-intent get', from(tokenIntentModule, 'getTokenIntents'), {
    summary: 'Get token intents by id, without their data',
    prints: 'tokenIntents.get',
    arguments: { id: INTENT },
    examples: { 'When it expires.': 'tokenctl token-intent get "$INTENT_ID" --json expires_at' },
  }),
  defineCommand('token-intent delete', from(tokenIntentModule, 'deleteTokenIntents'), {
    summary: 'Delete token intents permanently',
    operations: ['tokenIntents.delete'],
    arguments: { id: INTENT },
    examples: { 'Delete without confirmation.': 'tokenctl token-intent delete "$INTENT_ID" --yes' },
  }),
];
