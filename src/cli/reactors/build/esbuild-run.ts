import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type * as esbuild from 'esbuild';
import { type ModuleAliases, resolveModule } from '../../../contract/reactor-runtime.js';
import { findUpwards } from '../../config/paths.js';
import { displayPath } from '../project/selection.js';
import { createBundlingError } from './bundling-problems.js';
import { Imports } from './imports-plugin.js';
import { FOOTER } from './readable-code.js';

export interface BundleOptions {
  file: string;
  cwd: string;
  external: readonly string[];
  /** Minifies code of any length. */
  minify?: boolean | undefined;
  moduleAliases?: ModuleAliases | undefined;
  /** Records what is imported, also if bundling fails. */
  imports?: Imports;
}

export interface EsbuildOutput {
  code: string;
  /** Source map, version 3. */
  map: string;
  metafile: esbuild.Metafile;
}

const TARGET = 'node16';

const require = createRequire(import.meta.url);

/** @param directory real path that the module paths of the bundle are relative to, whichever directory the command runs in */
export async function runEsbuild(
  { file, cwd, external, moduleAliases, imports = new Imports() }: BundleOptions,
  directory: string,
  minify: boolean,
): Promise<EsbuildOutput> {
  try {
    // By its real path: Node.js 20 may load the path of a link (pnpm, `npm link`), beside which the binary is not installed.
    const { build }: typeof esbuild = require(realpathSync(require.resolve('esbuild')));
    const { outputFiles, metafile } = await build({
      entryPoints: [file],
      outfile: 'reactor.js',
      absWorkingDir: directory,
      bundle: true,
      write: false,
      metafile: true,
      sourcemap: 'external',
      sourcesContent: false,
      minify,
      format: 'cjs',
      // Neither Node.js nor a browser: modules of Node.js that the runtime lacks must be errors.
      platform: 'neutral',
      mainFields: ['module', 'main'],
      target: TARGET,
      charset: 'utf8',
      legalComments: 'none',
      define: { 'process.env.NODE_ENV': '"production"' },
      footer: { js: FOOTER },
      logLevel: 'silent',
      logOverride: { 'commonjs-variable-in-esm': 'silent' },
      plugins: [imports.plugin, createExternalsPlugin(external, moduleAliases)],
    });
    const textOf = (extension: string) =>
      outputFiles.find(({ path }) => path.endsWith(extension))?.text ?? '';
    return { code: textOf('.js'), map: textOf('.map'), metafile };
  } catch (error) {
    const { errors } = error as Partial<esbuild.BuildFailure>;
    if (!errors) throw error;
    throw createBundlingError({ file: displayPath(file, cwd), errors, directory, cwd });
  }
}

/** Namespace of the modules that stand between the imports of an ES module and an external package. */
const IMPORTED = 'external-package';

/** Leaves modules of the runtime and external packages to its own `require`; everything else must resolve and is bundled. */
function createExternalsPlugin(
  external: readonly string[],
  moduleAliases: ModuleAliases | undefined,
): esbuild.Plugin {
  const isExternal = (path: string) => external.some((name) => path === name || path.startsWith(`${name}/`));
  return {
    name: 'provided-modules',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer, namespace }) => {
        if (kind === 'entry-point') return undefined;
        const isPackage = isExternal(path);
        if (!isPackage && resolveModule(path, moduleAliases) === undefined) return undefined;
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
