// Prints which faults befall which operations on which stores in which test, from the comments `// Fault: OPERATION | FAULT |
// STORES` of the tests: npm run faults. An operation and a store that are in no row are exercised without faults only.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TESTS = fileURLToPath(new URL('..', import.meta.url));
const STORES = ['disk', 'PostgreSQL', 'memory'];

const rows = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .flatMap((name) =>
    [...readFileSync(join(TESTS, name), 'utf8').matchAll(/^ *\/\/ Fault: (.*)$/gm)].map(([, text = '']) => {
      const [operation = '', fault = '', stores = ''] = text.split(' | ');
      const unknown = stores.split(', ').find((store) => !STORES.includes(store));
      if (unknown !== undefined) throw new Error(`test/${name}: ${unknown} is not a store.`);
      return { operation, fault, stores: stores.split(', '), test: `test/${name}` };
    }),
  )
  .sort((a, b) => a.operation.localeCompare(b.operation) || a.fault.localeCompare(b.fault));

const line = (...cells: string[]) => `| ${cells.join(' | ')} |`;
console.log(line('operation', 'fault', ...STORES, 'test'));
console.log(line(...Array(3 + STORES.length).fill('---')));
for (const { operation, fault, stores, test } of rows)
  console.log(line(operation, fault, ...STORES.map((store) => (stores.includes(store) ? '✓' : '')), test));
