import { realpath } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { LIMITS } from '../../../contract/limits.js';
import { providedModule, REACTOR_MODULES } from '../../../contract/reactor-runtime.js';
import { displayPath, normalizeText, readText } from '../project/source-file.js';
import { listLargestParts } from './bundle-size.js';
import { type CodeProblem, ReactorCodeError } from './code-problem.js';

/** The code of a reactor as it is uploaded. */
export interface Bundle {
  code: string;
  /** Absolute paths of all bundled files. */
  inputs: string[];
  /** The inputs that belong to the project rather than to a package. */
  sources: string[];
  /** The code is the unchanged file. */
  verbatim: boolean;
  minified: boolean;
}

export interface BundleOptions {
  /** Absolute path. */
  file: string;
  /** Paths in error messages are relative to it. */
  cwd: string;
  external: readonly string[];
}

const TARGET = 'node16';
const LIMIT = LIMITS.reactorCodeCharacters;
// The service expects CommonJS: the default export of an ES module becomes `module.exports`.
const FOOTER = 'module.exports = module.exports.default ?? module.exports;';

const packageName = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');

/** Leaves modules of the runtime to its own `require`; everything else must resolve and is bundled. */
function createExternalsPlugin(external: readonly string[]): esbuild.Plugin {
  return {
    name: 'provided-modules',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point') return undefined;
        const provided = providedModule(path) !== undefined || external.includes(packageName(path));
        return provided ? { path, external: true } : undefined;
      });
    },
  };
}

function toProblem(
  { text, location }: esbuild.Message,
  directory: string,
  { cwd }: BundleOptions,
): CodeProblem {
  const unresolved = /^Could not resolve "([^"]+)"/.exec(text)?.[1];
  const message =
    unresolved === undefined || /^[./]/.test(unresolved)
      ? text
      : `${JSON.stringify(unresolved)} is neither provided by the service (${REACTOR_MODULES.join(', ')}) nor an installed package`;
  if (!location) return { message };
  return {
    file: displayPath(resolve(directory, location.file), cwd),
    line: location.line,
    column: location.column + 1,
    message,
  };
}

/** @param directory The real path of the file's directory. The bundle contains module paths relative to it, so that the code does not depend on where the command runs. */
async function runEsbuild(options: BundleOptions, directory: string, minify: boolean) {
  const { file, cwd, external } = options;
  try {
    const result = await esbuild.build({
      entryPoints: [file],
      outfile: 'reactor.js',
      absWorkingDir: directory,
      bundle: true,
      write: false,
      metafile: true,
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
      plugins: [createExternalsPlugin(external)],
    });
    return { code: result.outputFiles[0]?.text ?? '', metafile: result.metafile };
  } catch (error) {
    const { errors } = error as Partial<esbuild.BuildFailure>;
    if (!errors) throw error;
    throw new ReactorCodeError(
      `${displayPath(file, cwd)} cannot be bundled.`,
      errors.map((message) => toProblem(message, directory, options)),
    );
  }
}

/** Whether a file is CommonJS and imports only what the service provides, so that it needs no bundling. */
function isSelfContained(metafile: esbuild.Metafile, file: string): boolean {
  const inputs = Object.values(metafile.inputs);
  return inputs.length === 1 && inputs[0]?.format !== 'esm' && ['.js', '.cjs'].includes(extname(file));
}

function listInputs({ inputs }: esbuild.Metafile, directory: string): string[] {
  return Object.keys(inputs)
    .filter((input) => !/^[\w-]{2,}:|^<|^\(disabled\)/.test(input))
    .map((input) => resolve(directory, input));
}

/**
 * Bundles the code of a reactor. A self-contained file stays as it is; a bundle is minified only if it is too long.
 * @throws {ReactorCodeError} for syntax errors, missing modules, and code that is too long even when minified.
 */
export async function bundleReactor(options: BundleOptions): Promise<Bundle> {
  const { file } = options;
  const source = await readText(file, 'The code of a reactor');
  const directory = dirname(await realpath(file));
  const plain = await runEsbuild(options, directory, false);
  const inputs = listInputs(plain.metafile, directory);
  const bundle = { inputs, sources: inputs.filter((input) => !/[\\/]node_modules[\\/]/.test(input)) };
  const verbatim = isSelfContained(plain.metafile, file) && source.length <= LIMIT;
  if (verbatim) return { ...bundle, code: source, verbatim, minified: false };
  const code = normalizeText(plain.code);
  if (code.length <= LIMIT) return { ...bundle, code, verbatim, minified: false };
  const minified = await runEsbuild(options, directory, true);
  if (minified.code.length <= LIMIT) return { ...bundle, code: minified.code, verbatim, minified: true };
  throw createTooLongError(minified.code.length, minified.metafile, directory, options);
}

function createTooLongError(
  length: number,
  metafile: esbuild.Metafile,
  directory: string,
  { file, cwd }: BundleOptions,
): ReactorCodeError {
  const path = displayPath(file, cwd);
  const formatPath = (input: string) => displayPath(resolve(directory, input), cwd);
  const parts = listLargestParts(metafile, formatPath).map((message) => ({ file: path, message }));
  return new ReactorCodeError(
    `${path} has ${length.toLocaleString('en')} characters when bundled and minified; the limit is ${LIMIT.toLocaleString('en')}.`,
    parts,
    'Import less of the largest packages, or use smaller ones.',
  );
}
