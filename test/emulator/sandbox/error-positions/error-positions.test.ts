import { describe, expect, test } from 'vitest';
import { readSections } from '../../../support/reactor-tables.js';
import { run, testSandbox } from '../../../support/sandbox.js';

/** Reactors that fail in the line that ends with `// !`. */
const FAILURES = Object.entries(readSections('failing-reactors'));

const lineOf = (code: string): number => code.split('\n').findIndex((line) => line.includes('// !')) + 1;

describe.each(['quickjs', 'node'] as const)('the line of an error (decisions.md), runtime %s', (runtime) => {
  const sandbox = testSandbox({ runtime });

  test.each(FAILURES)('%s', async (_name, code) => {
    expect(await run(sandbox, code, { args: {} })).toMatchObject({
      kind: 'threw',
      error: { position: { file: 'reactor.js', line: lineOf(code) } },
    });
  });
});

describe('the stack of an error, runtime quickjs', () => {
  const sandbox = testSandbox({ runtime: 'quickjs' });

  test('names the calls by the called function, as Node.js does', async () => {
    const code = `function charge(card) {
  return card.number.last4.length;
}
module.exports = async () => {
  return charge({
    number: 1,
  });
};`;
    expect(await run(sandbox, code, { args: {} })).toMatchObject({
      error: {
        stack: [
          "TypeError: cannot read property 'length' of undefined",
          '    at charge (reactor.js:2:28)',
          '    at reactor.js:5:10',
        ].join('\n'),
      },
    });
  });

  test('names only the function where several operations fit', async () => {
    const code = `const h = () => 1;
module.exports = ({ args }) => {
  if (args.one) {
    return args.x.name;
  }
  return args.y.name;
};`;
    expect(await run(sandbox, code, { args: {} })).toMatchObject({
      error: { position: { line: 2, column: 18, inFunction: true } },
    });
  });

  test('is corrected on the console, too', async () => {
    const lines: string[] = [];
    const code = `module.exports = () => {
  const g = (x) => {
    return x.y.z;
  };
  try { g({}) } catch (error) { console.error('failed:', error) }
};`;
    await run(sandbox, code, { console: ({ message }) => lines.push(message) });
    expect(lines.join('\n')).toContain('at g (reactor.js:3:16)');
  });

  test('takes no time for long lines that resemble frames', async () => {
    const code = `module.exports = () => {
  for (let i = 0; i < 200; i++) console.log('reactor.js:1:1\\n    at ' + ' (:1:'.repeat(6_000) + '\\n' + "'".repeat(30_000));
  return { raw: 1 };
};`;
    expect(await run(sandbox, code, { timeoutMs: 20_000 })).toMatchObject({ kind: 'returned' });
  });

  test('keeps the positions of code that cannot be analyzed', async () => {
    const deep = `${'['.repeat(3_000)}1${']'.repeat(3_000)}`;
    const code = `const deep = () => ${deep};\nmodule.exports = () => { throw new Error('x') };`;
    expect(await run(sandbox, code, { args: {} })).toMatchObject({ error: { position: { line: 2 } } });
  });
});
