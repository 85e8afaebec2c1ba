import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { serviceFilters } from '../../emulator/expressions/filters/index.js';
import { headerNames } from '../../src/contract/headers.js';
import { LIMITS, RATE_LIMITS } from '../../src/contract/limits.js';
import { problemsOf } from '../../src/contract/operation.js';
import { OPERATION_IDS, operationRow } from '../../src/contract/operations.js';
import { PERMISSION_NAMES } from '../../src/contract/permissions.js';
import { PROBLEMS } from '../../src/contract/problems.js';
import { TOKEN_TYPE_NAMES, TOKEN_TYPES } from '../../src/contract/token-types.js';

const page = readFileSync(new URL('../../docs/fidelity.md', import.meta.url), 'utf8');

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

describe('docs/fidelity.md says of everything in the contract what it is', () => {
  it('operations, as their rows say', () => {
    const told = tableOf('Operations').map(([name = '', is = '']) => `${name.replaceAll('`', '')}: ${is}`);
    const served = OPERATION_IDS.map((id) => {
      const { method, path, source } = operationRow(id);
      return `${method} ${path}: ${source}`;
    });
    expect(told.sort()).toEqual(served.sort());
  });

  it('statuses', () => {
    const successes = OPERATION_IDS.flatMap((id) => operationRow(id).success);
    const problems = OPERATION_IDS.flatMap((id) => problemsOf(operationRow(id))).map(
      (name) => PROBLEMS[name].status,
    );
    const all = new Set([...successes, ...problems, ...Object.values(PROBLEMS).map(({ status }) => status)]);
    expect(column('Statuses', 0).map(Number).sort()).toEqual([...all].sort());
  });

  it('headers', () =>
    expect(names(column('Headers', 0)).sort()).toEqual(Object.values(headerNames()).sort()));

  it('token types with their default containers', () => {
    expect(names(column('Token types', 0))).toEqual(TOKEN_TYPE_NAMES);
    expect(names(column('Token types', 4))).toEqual(
      TOKEN_TYPE_NAMES.flatMap((type) => [...TOKEN_TYPES[type].containers]),
    );
  });

  it('permissions', () => expect(names(column('Access', 0)).sort()).toEqual([...PERMISSION_NAMES].sort()));

  it('filters', () => {
    const told = names(column('Expressions', 0)).filter((name) => /^[a-z_0-9]+$/.test(name));
    for (const { name } of serviceFilters) expect(told).toContain(name);
  });

  it('limits, with their numbers', () => {
    const text = tableOf('Limits').flat().join(' ').replaceAll(',', '');
    const numbers = new Set(text.match(/\d+/g)?.map(Number));
    for (const number of numbersIn({ ...LIMITS, RATE_LIMITS })) expect([...numbers]).toContain(number);
  });

  it('says where everything is tested, and all of it is there', () => {
    const places = names(column('Where it is tested', 1));
    expect(places.length).toBeGreaterThan(0);
    for (const place of places)
      expect(existsSync(new URL(`../../${place}`, import.meta.url)), place).toBe(true);
  });

  it('every row is specified, decided or extension', () => {
    const rows = (page.split('## Where it is tested')[0] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| \w[\w ]* \| source \|/.test(line));
    for (const row of rows) expect(row).toMatch(/\| (specified|decided|extension) \|/);
  });
});

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
