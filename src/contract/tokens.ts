import { operation } from './resource-operations.js';

/** Spec, Endpoints, Tokens; the shapes of search and tokenize are decided, detokenize is an extension. */
export const tokenOperations = {
  'tokens.create': operation('POST', '/tokens', 'token:create', {
    summary: 'Create a token',
    success: [201, 200],
    source: 'specified',
    body: 'json',
    rateScope: 'tokens.create',
    problems: ['idTaken'],
  }),
  'tokens.list': operation('GET', '/tokens', 'token:read', {
    summary: 'List tokens',
    returns: 'page',
    source: 'specified',
    queryMaps: ['metadata'],
    rateScope: 'tokens.list',
  }),
  'tokens.get': operation('GET', '/tokens/{id}', 'token:read', {
    summary: 'Get a token',
    source: 'specified',
  }),
  'tokens.update': operation('PATCH', '/tokens/{id}', 'token:update', {
    summary: 'Update a token by merge patch (RFC 7386)',
    source: 'specified',
    body: 'merge-patch',
  }),
  'tokens.delete': operation('DELETE', '/tokens/{id}', 'token:delete', {
    summary: 'Delete a token',
    success: [204],
    source: 'specified',
  }),
  'tokens.search': operation('POST', '/tokens/search', 'token:search', {
    summary: 'Search tokens with a Lucene query',
    returns: 'page',
    source: 'decided',
    body: 'json',
    rateScope: 'tokens.search',
    holdsSecrets: true,
  }),
  'tokens.listByCursor': operation('GET', '/v2/tokens', 'token:read', {
    summary: 'List tokens by cursor',
    returns: 'page-by-cursor',
    queryMaps: ['metadata'],
    rateScope: 'tokens.list',
  }),
  'tokens.searchByCursor': operation('POST', '/v2/tokens/search', 'token:search', {
    summary: 'Search tokens with a Lucene query, by cursor',
    returns: 'page-by-cursor',
    body: 'json',
    rateScope: 'tokens.search',
    holdsSecrets: true,
  }),
  tokenize: operation('POST', '/tokenize', 'token:create', {
    summary: 'Tokenize any JSON, all or nothing',
    returns: 'any',
    source: 'decided',
    body: 'json',
    rateScope: 'tokens.create',
    problems: ['idTaken'],
  }),
  detokenize: operation('POST', '/detokenize', 'token:use', {
    summary: 'Replace the detokenization expressions in any JSON',
    returns: 'any',
    body: 'json',
    holdsSecrets: true,
  }),
};
