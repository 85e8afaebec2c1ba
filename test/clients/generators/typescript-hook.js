// Gives a generator a TypeScript with an API to print code with, which TypeScript 7 does not have. Loaded with `--import`.
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.resolve('oazapfts'));
const typescript = pathToFileURL(require.resolve('typescript')).href;
const hooks = `export const resolve = (specifier, context, next) => specifier === 'typescript'
  ? { url: ${JSON.stringify(typescript)}, format: 'commonjs', shortCircuit: true }
  : next(specifier, context);`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
