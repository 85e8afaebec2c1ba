import { describe, expect, test } from 'vitest';
import { run, testSandbox } from '../../../support/sandbox.js';

/** Code that fails in the line that ends with `// !`. */
const FAILURES: readonly [name: string, code: string][] = [
  [
    'a property of undefined, in a return statement',
    `const g = (x) => {
       const y = 1;
       return x.missing.deep; // !
     };
     module.exports = () => g({});`,
  ],
  [
    'a property of undefined, in a declaration after a call',
    `module.exports = ({ args }) => {
       console.log('start');

       const { length } = args;
       const t = args.nope.foo; // !
       return { raw: t };
     };`,
  ],
  [
    'a condition',
    `module.exports = ({ args }) => {
       const list = [];
       if (args.customer.isNew) { // !
         list.push(1);
       }
     };`,
  ],
  [
    'the arguments of a call over several lines',
    `const f = (...all) => all;
     module.exports = ({ args }) => {
       return f(
         f(1,
           2),
         args.nope.foo, // !
       );
     };`,
  ],
  [
    'a callback',
    `module.exports = () => {
       return [1].map((x) => {
         const t = 1;
         return x.y.z; // !
       });
     };`,
  ],
  [
    'a variable that is not defined, after an await',
    `module.exports = async () => {
       await null;
       const one = 1;
       const q = notDefined + one; // !
     };`,
  ],
  [
    'destructuring of undefined',
    `module.exports = ({ args }) => {
       const one = 1;
       const { a, b } = args.nope; // !
       return { raw: a };
     };`,
  ],
  [
    'a loop over what is not iterable',
    `module.exports = ({ args }) => {
       const one = 1;
       for (const x of 5) { // !
         console.log(x);
       }
     };`,
  ],
  [
    'an assignment to a property of undefined',
    `const h = () => 1;
     module.exports = ({ args }) => {
       const one = 1;
       args.x.y = // !
         3;
       h();
     };`,
  ],
  [
    'the update of a loop, which runs after its body',
    `const h = () => 1;
     module.exports = ({ args }) => {
       for (
         let i = 0;
         i < 2;
         args.nope.foo // !
       ) {
         h();
       }
     };`,
  ],
  [
    'a field of a class',
    `class A {
       constructor() {
         this.v = 1;
       }
       name = 'a';
       field = undefined.foo; // !
     }
     module.exports = () => new A();`,
  ],
  [
    'a method of an object',
    `const api = {
       async send(
         x,
       ) {
         const first = 1;
         return x.y.z; // !
       },
     };
     module.exports = () => api.send({});`,
  ],
  [
    'a thrown error whose message calls functions',
    `const f = (x) => x;
     module.exports = () => {
       throw new Error(\`x \${ // !
         f(
           1)
       }\`);
     };`,
  ],
  [
    'a function of the engine',
    `module.exports = () => {
       const t = JSON.parse( // !
         '{',
       );
     };`,
  ],
  [
    'a value that is not a function',
    `module.exports = ({ args }) => {
       const one = 1;
       return args
         .missing // !
         (one);
     };`,
  ],
  [
    'a line with characters outside of ASCII',
    `module.exports = ({ args }) => {
       const é = 'ééé→😀'; if (é === 'x') return; const t = args.nope.foo; // !
     };`,
  ],
  [
    'a template over several lines',
    `module.exports = ({ args }) => {
       const text = \`a
         b \${args.name}
         c \${args.nope.foo} // !\`;
       return { raw: text };
     };`,
  ],
  [
    'an error with a property, made by Object.assign',
    `module.exports = () => {
       const one = 1;
       throw Object.assign(
         new Error('on purpose'), // !
         { code: 1 },
       );
     };`,
  ],
  [
    'an ES module',
    `const g = (x) => {
       const one = 1;
       return x.y.z; // !
     };
     export default () => g({});`,
  ],
  ['the first line', `const t = undefined.foo; // !`],
];

const lineOf = (code: string): number => code.split('\n').findIndex((line) => line.includes('// !')) + 1;

describe.each(['quickjs', 'node'] as const)(
  'the line of an error (decisions.md, "Reactors"), runtime %s',
  (runtime) => {
    const sandbox = testSandbox({ runtime });

    test.each(FAILURES)('%s', async (_name, code) => {
      expect(await run(sandbox, code, { args: {} })).toMatchObject({
        kind: 'threw',
        error: { position: { file: 'reactor.js', line: lineOf(code) } },
      });
    });
  },
);

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
