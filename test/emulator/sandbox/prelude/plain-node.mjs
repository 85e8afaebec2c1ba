// Runs snippets, given as JSON on standard input, as reactors in plain Node.js; prints their results as JSON.
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { compileFunction } from 'node:vm';

const require = createRequire(import.meta.url);
const snippets = JSON.parse(await text(process.stdin));
const results = [];
for (const { code, args } of snippets) {
  const module = { exports: {} };
  try {
    compileFunction(code, ['module', 'exports', 'require'], { filename: 'reactor.js' })(
      module,
      module.exports,
      require,
    );
    results.push({ value: (await module.exports({ args, configuration: {}, svc: null })) ?? null });
  } catch (error) {
    results.push({ error: `${error.name}: ${error.message}` });
  }
}
process.stdout.write(JSON.stringify(results), () => process.exit());
