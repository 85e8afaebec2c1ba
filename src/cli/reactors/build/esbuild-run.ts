import * as esbuild from 'esbuild';
import type { ModuleAliases } from '../../../contract/reactor-runtime.js';
import { displayPath } from '../project/source-file.js';
import { createBundlingError } from './bundling-problems.js';
import { createExternalsPlugin } from './externals-plugin.js';
import { ImportChain } from './import-chain.js';
import type { ImportedFiles } from './imports-plugin.js';
import { FOOTER } from './readable-code.js';

export interface BundleOptions {
  /** Absolute path. */
  file: string;
  /** Paths in error messages are relative to it. */
  cwd: string;
  external: readonly string[];
  /** Names of provided modules. */
  moduleAliases?: ModuleAliases | undefined;
  /** Collects what is imported, also if bundling fails. */
  imported?: ImportedFiles | undefined;
}

/** What esbuild makes of a reactor. */
export interface EsbuildOutput {
  code: string;
  /** Source map, version 3. */
  map: string;
  metafile: esbuild.Metafile;
}

const TARGET = 'node16';

/**
 * Bundles a reactor with esbuild.
 * @param directory The real path of the file's directory. The bundle contains module paths relative to it, so that the code does not depend on where the command runs.
 * @throws {ReactorCodeError} for syntax errors and missing modules
 */
export async function runEsbuild(
  { file, cwd, external, moduleAliases, imported }: BundleOptions,
  directory: string,
  minify: boolean,
): Promise<EsbuildOutput> {
  const imports = new ImportChain();
  try {
    const { outputFiles, metafile } = await esbuild.build({
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
      plugins: [
        createExternalsPlugin(external, moduleAliases, imports),
        ...(imported === undefined ? [] : [imported.plugin]),
      ],
    });
    const textOf = (extension: string) =>
      outputFiles.find(({ path }) => path.endsWith(extension))?.text ?? '';
    return { code: textOf('.js'), map: textOf('.map'), metafile };
  } catch (error) {
    const { errors } = error as Partial<esbuild.BuildFailure>;
    if (!errors) throw error;
    throw createBundlingError({ file: displayPath(file, cwd), errors, imports, directory, cwd });
  }
}
