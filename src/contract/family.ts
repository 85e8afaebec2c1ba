import { defineOperation } from './operation-row.js';

/** What the API family has today beside the specification; decided, The family as it is today. */
export const familyOperations = {
  // Data that becomes a token later, or never.
  'tokenIntents.create': defineOperation('POST', '/token-intents', 'token-intent:create', {
    summary: 'Create a token intent, which can become a token within 24 hours',
    success: [201],
    body: 'json',
    rateScope: 'tokens.create',
    problems: ['undecryptable'],
  }),
  'tokenIntents.get': defineOperation('GET', '/token-intents/{id}', 'token:read', {
    summary: 'Get a token intent, without its data',
  }),
  'tokenIntents.delete': defineOperation('DELETE', '/token-intents/{id}', 'token:delete', {
    summary: 'Delete a token intent',
  }),
  // Keys for a page, which do what a server grants them.
  'sessions.create': defineOperation('POST', '/sessions', 'public', {
    summary: 'Open a session, whose key may do nothing until it is authorized',
    success: [201],
    holdsSecrets: true,
  }),
  'sessions.authorize': defineOperation('POST', '/sessions/authorize', 'private', {
    summary: 'Grant a session permissions or rules, of those that the calling key has',
    success: [204],
    body: 'json',
    problems: ['notFound'],
  }),
  // To encrypt token data on its way to the service.
  'keys.create': defineOperation('POST', '/keys', 'token:create', {
    lenientType: 'management',
    summary: 'Create a key to encrypt token data with',
    success: [201],
    body: 'any-json',
    optionalBody: true,
  }),
  'keys.list': defineOperation('GET', '/keys', 'token:create', {
    lenientType: 'management',
    summary: 'List the keys to encrypt token data with, without the keys themselves',
    returns: 'list',
  }),
  'keys.get': defineOperation('GET', '/keys/{id}', 'token:create', {
    lenientType: 'management',
    summary: 'Get a key to encrypt token data with, without the key itself',
  }),
  'keys.delete': defineOperation('DELETE', '/keys/{id}', 'token:delete', {
    lenientType: 'management',
    summary: 'Delete a key to encrypt token data with; what it encrypted is refused',
  }),
  // Files, which are stored as the data of tokens.
  'documents.upload': defineOperation('POST', '/documents', 'documents:create', {
    summary: 'Upload a document',
    success: [201],
    body: 'multipart',
    rateScope: 'tokens.create',
  }),
  'documents.get': defineOperation('GET', '/documents/{id}', 'documents:read', {
    summary: 'Get a document, without its content',
  }),
  'documents.download': defineOperation('GET', '/documents/{id}/data', 'documents:reveal', {
    summary: 'Download a document: the response is its content, by its content type',
    returns: 'file',
  }),
  'documents.delete': defineOperation('DELETE', '/documents/{id}', 'documents:delete', {
    summary: 'Delete a document',
  }),
  // What is known of cards and bank accounts, from made-up tables.
  'enrichments.cardDetails': defineOperation('GET', '/enrichments/card-details', null, {
    summary: 'Get what is known of the cards of a BIN, from made-up issuers',
    problems: ['notFound'],
  }),
  'enrichments.verifyBankAccount': defineOperation('POST', '/enrichments/bank-account-verify', 'token:use', {
    summary: 'Tell whether a bank account can receive money, from made-up accounts',
    body: 'json',
  }),
};
