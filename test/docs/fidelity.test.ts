import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { headerNames } from '../../src/contract/headers.js';
import { LIMITS, RATE_LIMITS, type RateScope } from '../../src/contract/limits.js';
import { OPERATION_IDS, operationRow } from '../../src/contract/operations.js';
import { PERMISSION_NAMES } from '../../src/contract/permissions.js';
import { PROBLEMS } from '../../src/contract/problems.js';
import { TOKEN_TYPE_NAMES, TOKEN_TYPES } from '../../src/contract/token-types.js';

const page = readFileSync(new URL('../../docs/fidelity.md', import.meta.url), 'utf8');

/** Sections that are not lists of behaviours by where they come from. */
const OTHER_SECTIONS = ['What it does not do', 'Operations', 'With `--lenient`'];
const LISTS = [...page.matchAll(/^## (.*)$/gm)]
  .map(([, heading = '']) => heading)
  .filter((heading) => !OTHER_SECTIONS.includes(heading));

/** The limits that the table in docs/security.md has. */
type TenantLimit =
  | 'largeRequests'
  | 'requestMs'
  | 'pendingDeliveries'
  | 'searchWildcards'
  | 'containerLevels'
  | 'tenantCodeBytes'
  | 'storedResponseBytes';

/** The name of each limit of the contract in the list of limits. */
const LIMIT_ROWS: Record<Exclude<keyof typeof LIMITS, TenantLimit>, string> = {
  nameCharacters: 'name of a reactor or tenant',
  reactorCodeCharacters: 'reactor code',
  bodyBytes: 'body',
  detokenizedTokens: 'tokens per detokenization',
  detokenizedCharacters: 'data per detokenization',
  syncTimeoutMs: 'synchronous invocation',
  asyncTimeoutMs: '`timeout_ms`',
  cvcLifetimeMs: 'cvc',
  tokenIntentLifetimeMs: 'token intents',
  sessionLifetimeMs: 'sessions',
  encryptionKeyLifetimeMs: 'encryption keys',
  encryptionKeys: 'encryption keys of a tenant',
  pageSize: 'page size',
  responseBytes: 'response',
  listIds: '`id` parameters of a list',
  tokenIdCharacters: 'token id',
  containerCharacters: 'container',
  containers: 'containers of a token',
  metadataKeys: 'metadata keys of a token',
  applicationKeys: 'keys of an application',
  webhooks: 'webhooks of a tenant',
  webhookFailureMs: 'failures until a webhook is disabled',
  searchIndexes: 'search indexes of a token',
  searchQueryCharacters: 'search query',
  idempotencyLifetimeMs: 'idempotency keys',
  callbackUrlCharacters: 'callback URL',
  traceIdCharacters: 'trace id of a request',
  bodyDepth: 'nesting of a body',
  bodyValues: 'values in a body',
  callback: 'callbacks',
  includedMonthlyActiveTokens: 'included monthly active tokens',
};

/** The name of each rate limit in the list of limits. */
const RATE_LIMIT_NAMES: Record<RateScope, string> = {
  global: 'global',
  portal: 'portal',
  'tokens.search': 'search',
  'tokens.list': 'list',
  'tokens.create': 'create and tokenize',
};

/** The text of a section. */
function sectionOf(heading: string): string {
  return page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
}

/** Everything in backquotes. */
const names = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** What the list of limits says of one. */
const limitOf = (label: string): string =>
  sectionOf('Limits')
    .split('\n- ')
    .find((item) => item.startsWith(`${label}: `))
    ?.slice(label.length)
    .replace(/\s+/g, ' ') ?? '';

describe('docs/fidelity.md covers the whole contract', () => {
  it('states the source of every operation as the contract does', () => {
    const rows = [...sectionOf('Operations').matchAll(/^\| (specified|decided|extension) \| (.*) \|$/gm)];
    const sources = rows.flatMap(([, source, paths = '']) => names(paths).map((path) => ({ path, source })));
    const longestFirst = sources.sort((a, b) => b.path.length - a.path.length);
    for (const id of OPERATION_IDS) {
      const { path, source } = operationRow(id);
      expect(longestFirst.find((row) => path.startsWith(row.path))?.source, id).toBe(source);
    }
  });

  it('lists every status', () => {
    const successes = OPERATION_IDS.flatMap((id) => operationRow(id).success);
    const all = new Set([...successes, ...Object.values(PROBLEMS).map(({ status }) => status)]);
    for (const status of all)
      expect(sectionOf('Requests and responses')).toMatch(new RegExp(`\\b${status}\\b`));
  });

  it('lists every header', () => {
    for (const name of Object.values(headerNames())) expect(names(sectionOf('Headers'))).toContain(name);
  });

  it('lists every token type with its default containers', () => {
    const rows = [...sectionOf('Tokens').matchAll(/^- `(\w+)`, `(\S+)`: /gm)];
    expect(rows.map(([, type, container]) => [type, container])).toEqual(
      TOKEN_TYPE_NAMES.map((type) => [type, TOKEN_TYPES[type].containers.join()]),
    );
  });

  it('names every permission that is not specified', () => {
    const others = PERMISSION_NAMES.filter((name) => !/^(token|reactor|tenant|report):/.test(name));
    const named = names(sectionOf('Access'));
    const missing = others.filter(
      (name) => ![name, name.replace(/:.*/, ':*')].some((text) => named.includes(text)),
    );
    expect(missing).toEqual([]);
  });

  it.each(Object.entries(LIMIT_ROWS))('states the numbers of the limit %s', (key, label) => {
    const expected = numbersIn(LIMITS[key as keyof typeof LIMITS]);
    expect(uniqueNumbers(limitOf(label))).toEqual(expect.arrayContaining(uniqueNumbers(expected.join(' '))));
  });

  it.each(Object.entries(RATE_LIMIT_NAMES))('states the numbers of the rate limit %s', (scope, name) => {
    const { requests, windowSeconds, blockSeconds } = RATE_LIMITS[scope as RateScope];
    const text = limitOf('rate limits of a client IP');
    expect(text).toMatch(new RegExp(`\\b${name} ${requests}\\b`));
    expect(text).toContain(`requests per ${windowSeconds} seconds; blocked for ${blockSeconds} seconds`);
  });

  it.each(LISTS)('says of every list of "%s" whether it is decided or an extension', (heading) => {
    const [before = '', ...lists] = sectionOf(heading).split(/^(?=(?:Specified|Decided|Extensions?)\b.*)/m);
    expect(before).not.toMatch(/^- /m);
    expect(lists.length).toBeGreaterThan(0);
  });
});

/** The distinct numbers of a text in ascending order; thousands separators are ignored. */
function uniqueNumbers(text: string): number[] {
  const numbers = text.replaceAll(',', '').match(/\d+/g) ?? [];
  return [...new Set(numbers.map(Number))].toSorted((a, b) => a - b);
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
