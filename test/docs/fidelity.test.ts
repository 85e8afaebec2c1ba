import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { serviceFilters } from '../../emulator/expressions/filters/index.js';
import { headerNames } from '../../src/contract/headers.js';
import { LIMITS, RATE_LIMITS, type RateScope } from '../../src/contract/limits.js';
import { problemsOf } from '../../src/contract/operation-row.js';
import { OPERATION_IDS, operationRow } from '../../src/contract/operations.js';
import { PERMISSION_NAMES } from '../../src/contract/permissions.js';
import { PROBLEMS } from '../../src/contract/problems.js';
import { TOKEN_TYPE_NAMES, TOKEN_TYPES } from '../../src/contract/token-types.js';

const page = readFileSync(new URL('../../docs/fidelity.md', import.meta.url), 'utf8');

/** Sections without a table of behaviours. */
const OTHER_SECTIONS = ['Search', 'Where it is tested'];
/** Sections whose tables state for every row where the behaviour comes from. */
const SOURCED_SECTIONS = [...page.matchAll(/^## (.*)$/gm)]
  .map(([, heading = '']) => heading)
  .filter((heading) => !OTHER_SECTIONS.includes(heading));

/** The row of the table of limits for each limit of the contract. */
const LIMIT_ROWS: Record<keyof typeof LIMITS, string> = {
  nameCharacters: 'name of a reactor or tenant',
  reactorCodeCharacters: 'reactor code',
  bodyBytes: 'body',
  detokenizedTokens: 'tokens per detokenization',
  detokenizedCharacters: 'data per detokenization',
  syncTimeoutMs: 'synchronous invocation',
  asyncTimeoutMs: '`timeout_ms`',
  cvcLifetimeMs: 'cvc',
  pageSize: 'page size',
  responseBytes: 'response',
  listIds: '`id` parameters of a list',
  tokenIdCharacters: 'token id',
  containerCharacters: 'container',
  containers: 'containers of a token',
  metadataKeys: 'metadata keys of a token',
  applicationKeys: 'keys of an application',
  webhooks: 'webhooks of a tenant',
  searchIndexes: 'search indexes of a token',
  searchQueryCharacters: 'search query',
  idempotencyLifetimeMs: 'idempotency keys',
  storedResponseBytes: 'stored responses of a tenant',
  callbackUrlCharacters: 'callback URL',
  traceIdCharacters: 'trace id of a request',
  bodyDepth: 'nesting of a body',
  bodyValues: 'values in a body',
  callback: 'callbacks',
  includedMonthlyActiveTokens: 'included monthly active tokens',
};

/** The name of each rate limit in the table of limits. */
const RATE_LIMIT_NAMES: Record<RateScope, string> = {
  global: 'global',
  portal: 'portal',
  'tokens.search': 'search',
  'tokens.list': 'list',
  'tokens.create': 'create and tokenize',
};

/** The rows of the table under a heading, as cells. */
function tableOf(heading: string): string[][] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function column(heading: string, index: number): string[] {
  return tableOf(heading).map((cells) => cells[index] ?? '');
}

/** Everything in backquotes. */
function names(cells: string[]): string[] {
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''));
}

describe('docs/fidelity.md covers the whole contract', () => {
  it('lists every operation with the source that the contract states', () => {
    const told = tableOf('Operations').map(([name = '', is = '']) => `${name.replaceAll('`', '')}: ${is}`);
    const served = OPERATION_IDS.map((id) => {
      const { method, path, source } = operationRow(id);
      return `${method} ${path}: ${source}`;
    });
    expect(told.sort()).toEqual(served.sort());
  });

  it('lists every status', () => {
    const successes = OPERATION_IDS.flatMap((id) => operationRow(id).success);
    const problems = OPERATION_IDS.flatMap((id) => problemsOf(operationRow(id))).map(
      (name) => PROBLEMS[name].status,
    );
    const all = new Set([...successes, ...problems, ...Object.values(PROBLEMS).map(({ status }) => status)]);
    expect(column('Statuses', 0).map(Number).sort()).toEqual([...all].sort());
  });

  it('lists every header', () =>
    expect(names(column('Headers', 0)).sort()).toEqual(Object.values(headerNames()).sort()));

  it('lists every token type with its default containers', () => {
    expect(names(column('Token types', 0))).toEqual(TOKEN_TYPE_NAMES);
    expect(names(column('Token types', 4))).toEqual(
      TOKEN_TYPE_NAMES.flatMap((type) => [...TOKEN_TYPES[type].containers]),
    );
  });

  it('lists every permission', () =>
    expect(names(column('Access', 0)).sort()).toEqual([...PERMISSION_NAMES].sort()));

  it('lists every filter', () => {
    const told = names(column('Expressions', 0)).filter((name) => /^[a-z_0-9]+$/.test(name));
    for (const { name } of serviceFilters) expect(told).toContain(name);
  });

  it.each(Object.entries(LIMIT_ROWS))('states the numbers of the limit %s', (key, label) => {
    const row = tableOf('Limits').find(([name]) => name === label);
    const expected = numbersIn(LIMITS[key as keyof typeof LIMITS]);
    expect(uniqueNumbers(row?.[2] ?? '')).toEqual(uniqueNumbers(expected.join(' ')));
  });

  it.each(Object.entries(RATE_LIMIT_NAMES))('states the numbers of the rate limit %s', (scope, name) => {
    const row = tableOf('Limits').find(([limit = '']) => limit.startsWith('rate limits'));
    const { requests, windowSeconds, blockSeconds } = RATE_LIMITS[scope as RateScope];
    expect(row?.[2]).toMatch(new RegExp(`\\b${name} ${requests}\\b`));
    expect(row?.[2]).toContain(`requests per ${windowSeconds} seconds; blocked for ${blockSeconds} seconds`);
  });

  it('names only tests that exist', () => {
    const places = names(column('Where it is tested', 1));
    expect(places.length).toBeGreaterThan(0);
    for (const place of places)
      expect(existsSync(new URL(`../../${place}`, import.meta.url)), place).toBe(true);
  });

  it.each(SOURCED_SECTIONS)('marks every row of "%s" as specified, decided or extension', (heading) => {
    const rows = tableOf(heading);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(`| ${row.join(' | ')} |`).toMatch(/\| (specified|decided|extension) \|/);
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
