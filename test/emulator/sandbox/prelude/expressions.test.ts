import { describe, expect, test } from 'vitest';
import { readTables } from '../../../support/reactor-tables.js';
import { returned, testSandbox } from '../../../support/sandbox.js';
import { runInPlainNode } from './plain-node.js';

const sandbox = testSandbox();

/** Rows of the last table have another result in Node.js 20, as docs/reactor-runtime.md explains. */
const { 'differences from Node.js 20': differences, ...TABLES } = readTables('expressions');
if (differences === undefined) throw new Error('There is no table of differences.');
const DIFFERENCES = new Set(differences);

/** A reactor that returns the result of each row as text. */
const asReactor = (table: string[]) => `
  const parts = ({ href, origin, protocol, username, password, host, hostname, port, pathname, search, hash }) =>
    [href, origin, protocol, username, password, host, hostname, port, pathname, search, hash];
  const rows = [${table.map((row) => `() => (${row})`).join(',\n')}];
  const show = (value) => JSON.stringify(value, (key, inner) =>
    typeof inner === 'bigint' || typeof inner === 'symbol' || inner === undefined ? String(inner) : inner) ?? typeof value;
  module.exports = async () => {
    const results = [];
    for (const row of rows) {
      try { results.push(show(await row())); } catch (error) { results.push('throws ' + (error && error.name)); }
    }
    return results;
  };`;

/** Both columns of a table: each row with its result. */
async function columnsOf(table: string[]): Promise<{ node: string[]; sandbox: string[] }> {
  const code = asReactor(table);
  const [plain] = await runInPlainNode([{ code, args: {} }]);
  const label = (results: unknown) => (results as string[]).map((one, at) => `${table[at]} → ${one}`);
  return { node: label(plain?.value), sandbox: label(await returned(sandbox, code)) };
}

/** The sandbox behaves as Node.js 20 does; later versions have other results in a few rows. */
const isNode20 = process.version.startsWith('v20.');

describe.runIf(isNode20)('expressions as in Node.js 20', () => {
  test.each(Object.entries(TABLES))('%s', async (_area, table) => {
    const { node, sandbox } = await columnsOf(table);
    const rows = table.map((row, index) => ({ row, node: node[index], sandbox: sandbox[index] }));
    const differing = rows.filter((row) => row.node !== row.sandbox);
    expect(differing.filter(({ row }) => !DIFFERENCES.has(row))).toEqual([]);
    const equal = rows.filter((row) => row.node === row.sandbox);
    expect(equal.filter(({ row }) => DIFFERENCES.has(row))).toEqual([]);
  });
});
