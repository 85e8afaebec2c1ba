import { defineOperation } from './operation-row.js';

/** Spec, Endpoints, Tokens; the shapes of search and tokenize are decided, detokenize is an extension. */
export const tokenOperations = {
  'tokens.create': defineOperation('POST', '/tokens', 'token:create', {
    summary: 'Create a token',
    success: [201, 200],
    source: 'specified',
    body: 'json',
    rateScope: 'tokens.create',
    problems: ['idTaken', 'undecryptable'],
  }),
  'tokens.list': defineOperation('GET', '/tokens', 'token:read', {
    summary: 'List tokens',
    returns: 'page',
    source: 'specified',
    queryMaps: ['metadata'],
    rateScope: 'tokens.list',
    problems: ['switchedOff'],
  }),
  'tokens.get': defineOperation('GET', '/tokens/{id}', 'token:read', {
    summary: 'Get a token',
    source: 'specified',
  }),
  'tokens.update': defineOperation('PATCH', '/tokens/{id}', 'token:update', {
    summary: 'Update a token by merge patch (RFC 7386)',
    source: 'specified',
    body: 'merge-patch',
    problems: ['undecryptable'],
  }),
  'tokens.delete': defineOperation('DELETE', '/tokens/{id}', 'token:delete', {
    summary: 'Delete a token',
    source: 'specified',
  }),
  'tokens.search': defineOperation('POST', '/tokens/search', 'token:search', {
    summary: 'Search tokens with a Lucene query',
    returns: 'page',
    source: 'decided',
    body: 'json',
    rateScope: 'tokens.search',
    holdsSecrets: true,
    problems: ['switchedOff'],
  }),
  'tokens.listByCursor': defineOperation('GET', '/v2/tokens', 'token:read', {
    summary: 'List tokens by cursor',
    returns: 'page-by-cursor',
    queryMaps: ['metadata'],
    rateScope: 'tokens.list',
  }),
  'tokens.searchByCursor': defineOperation('POST', '/v2/tokens/search', 'token:search', {
    summary: 'Search tokens with a Lucene query, by cursor',
    returns: 'page-by-cursor',
    body: 'json',
    rateScope: 'tokens.search',
    holdsSecrets: true,
    problems: ['switchedOff'],
  }),
  tokenize: defineOperation('POST', '/tokenize', 'token:create', {
    summary: 'Tokenize any JSON, all or nothing',
    returns: 'any',
    source: 'decided',
    body: 'json',
    rateScope: 'tokens.create',
    problems: ['idTaken', 'undecryptable'],
  }),
  detokenize: defineOperation('POST', '/detokenize', 'token:use', {
    summary: 'Replace the detokenization expressions in any JSON',
    returns: 'any',
    body: 'json',
    holdsSecrets: true,
  }),
};
