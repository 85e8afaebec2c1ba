import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as esbuild from 'esbuild';
import { type ModuleAliases, resolveModule } from '../../../contract/reactor-runtime.js';
import { findUpwards } from '../../config/paths.js';
import type { ImportChain } from './import-chain.js';

/** Namespace of the modules that stand between the imports of an ES module and an external package. */
const IMPORTED = 'external-package';

/**
 * Leaves modules of the runtime to its own `require`; everything else must resolve and is bundled.
 * @param external packages that are left to it as well
 */
export function createExternalsPlugin(
  external: readonly string[],
  moduleAliases: ModuleAliases | undefined,
  imports: ImportChain,
): esbuild.Plugin {
  const isExternal = (path: string) => external.some((name) => path === name || path.startsWith(`${name}/`));
  return {
    name: 'provided-modules',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer, namespace }) => {
        if (kind === 'entry-point') return undefined;
        const isPackage = isExternal(path);
        if (!isPackage && resolveModule(path, moduleAliases) === undefined) {
          imports.add(importer, path);
          return undefined;
        }
        const isImport = kind === 'import-statement' && namespace !== IMPORTED && isPackage;
        return isImport && followsNode(importer) ? { path, namespace: IMPORTED } : { path, external: true };
      });
      build.onLoad({ filter: /^/, namespace: IMPORTED }, ({ path }) => ({ contents: importAsNode(path) }));
    },
  };
}

/** Whether Node.js loads the file as an ES module. For such a file, esbuild takes what `require` returns as the default. */
function followsNode(file: string): boolean {
  if (/\.[cm][jt]s$/.test(file)) return /\.m[jt]s$/.test(file);
  const manifest = findUpwards(dirname(file), ['package.json']);
  if (manifest === undefined) return false;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { type?: unknown }).type === 'module';
}

/** Returns code that exports a package as `import` does in Node.js, which is known only where the code runs. */
function importAsNode(name: string): string {
  const required = `require(${JSON.stringify(name)})`;
  return [
    `const exported = ${required};`,
    "const isModule = Object.prototype.toString.call(exported) === '[object Module]';",
    'export default isModule ? exported.default : exported;',
    `export * from ${JSON.stringify(name)};`,
  ].join('\n');
}
