// Writes docs/faults.md: which faults befall which operations on which stores in which test, from the comments `// Fault: OPERATIONS
// | FAULT | STORES` of the tests. Run: npm run faults. A test proves that the page is current.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TESTS = fileURLToPath(new URL('..', import.meta.url));
export const FAULTS_PAGE = join(TESTS, '../docs/faults.md');
const STORES = ['disk', 'PostgreSQL', 'memory'];

const line = (...cells: (string | number)[]) => `|${cells.join('|')}|\n`;

export function faultsPage(): string {
  const faults = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .flatMap((name) =>
      [...readFileSync(join(TESTS, name), 'utf8').matchAll(/^ *\/\/ Fault: (.*)$/gm)].map(([, text = '']) => {
        const [operations = '', fault = '', stores = ''] = text.split(' | ');
        const unknown = stores.split(', ').find((store) => !STORES.includes(store));
        if (unknown !== undefined) throw new Error(`test/${name}: ${unknown} is not a store.`);
        return {
          operations: operations.split(', '),
          fault,
          stores: stores.split(', '),
          test: `test/${name}`,
        };
      }),
    );
  const operations = [...new Set(faults.flatMap((one) => one.operations))].sort();
  const numbers = (operation: string, store: string) =>
    faults
      .flatMap((one, at) =>
        one.operations.includes(operation) && one.stores.includes(store) ? [at + 1] : [],
      )
      .join(',');
  return [
    '# Faults by operation and store\n\nWritten by `npm run faults`. Empty: not exercised.\n\n',
    line('operation', ...STORES),
    line('---', ...STORES.map(() => '---')),
    ...operations.map((operation) => line(operation, ...STORES.map((store) => numbers(operation, store)))),
    '\n',
    line('', 'fault', 'test'),
    line('---', '---', '---'),
    ...faults.map(({ fault, test }, at) => line(at + 1, fault, `\`${test}\``)),
  ].join('');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FAULTS_PAGE, faultsPage());
