import { defineOperation } from './operation-row.js';

/** Token intents: data that becomes a token later, or never; decided, The family as it is today. */
export const tokenIntentOperations = {
  'tokenIntents.create': defineOperation('POST', '/token-intents', 'token-intent:create', {
    summary: 'Create a token intent, which can become a token within 24 hours',
    success: [201],
    body: 'json',
    rateScope: 'tokens.create',
    problems: ['undecryptable'],
  }),
  'tokenIntents.get': defineOperation('GET', '/token-intents/{id}', 'token:read', {
    summary: 'Get a token intent, without its data',
    uuid: true,
  }),
  'tokenIntents.delete': defineOperation('DELETE', '/token-intents/{id}', 'token:delete', {
    summary: 'Delete a token intent',
    success: [204],
    uuid: true,
  }),
};
