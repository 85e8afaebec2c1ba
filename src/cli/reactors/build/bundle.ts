import { realpath } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { LIMITS } from '../../../contract/limits.js';
import { providedModule, REACTOR_MODULES } from '../../../contract/reactor-runtime.js';
import { normalized, readText, shownPath } from '../project/source-file.js';
import { shareOfRoom } from './bundle-size.js';
import { type CodeProblem, ReactorCodeError } from './code-problem.js';

/** The code of a reactor as the service gets it. */
export interface Bundle {
  code: string;
  /** Absolute paths of every file that went into it. */
  inputs: string[];
  /** Its own files among them: no packages. */
  sources: string[];
  /** The code is the file itself. */
  verbatim: boolean;
  minified: boolean;
}

export interface BundleOptions {
  /** Absolute path. */
  file: string;
  /** What paths in messages are relative to. */
  cwd: string;
  external: readonly string[];
}

const TARGET = 'node16';
const LIMIT = LIMITS.reactorCodeCharacters;
// An ES module's default export becomes what `require` gives, as the service expects it of CommonJS.
const FOOTER = 'module.exports = module.exports.default ?? module.exports;';

const packageOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');

/** Leaves to the runtime's own `require` what it has; everything else must be found and bundled. */
function providedModules(external: readonly string[]): esbuild.Plugin {
  return {
    name: 'provided-modules',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point') return undefined;
        const provided = providedModule(path) !== undefined || external.includes(packageOf(path));
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
      : `${JSON.stringify(unresolved)} is neither a module that the service provides (${REACTOR_MODULES.join(', ')}) nor an installed package`;
  if (!location) return { message };
  return {
    file: shownPath(resolve(directory, location.file), cwd),
    line: location.line,
    column: location.column + 1,
    message,
  };
}

/** @param directory of the file, without links: the bundle names its modules by their way from here, wherever the command runs. */
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
      // Neither Node.js nor a browser: the modules of Node.js that the runtime lacks are errors, not left for later.
      platform: 'neutral',
      mainFields: ['module', 'main'],
      target: TARGET,
      charset: 'utf8',
      legalComments: 'none',
      define: { 'process.env.NODE_ENV': '"production"' },
      footer: { js: FOOTER },
      logLevel: 'silent',
      logOverride: { 'commonjs-variable-in-esm': 'silent' },
      plugins: [providedModules(external)],
    });
    return { code: result.outputFiles[0]?.text ?? '', metafile: result.metafile };
  } catch (error) {
    const { errors } = error as Partial<esbuild.BuildFailure>;
    if (!errors) throw error;
    throw new ReactorCodeError(
      `${shownPath(file, cwd)} cannot be bundled.`,
      errors.map((message) => toProblem(message, directory, options)),
    );
  }
}

/** A CommonJS file that imports nothing but what the service provides needs no bundling. */
function isSelfContained(metafile: esbuild.Metafile, file: string): boolean {
  const inputs = Object.values(metafile.inputs);
  return inputs.length === 1 && inputs[0]?.format !== 'esm' && ['.js', '.cjs'].includes(extname(file));
}

function inputsOf({ inputs }: esbuild.Metafile, directory: string): string[] {
  return Object.keys(inputs)
    .filter((input) => !/^[\w-]{2,}:|^<|^\(disabled\)/.test(input))
    .map((input) => resolve(directory, input));
}

/**
 * The code to upload: the file itself where it stands alone, else a bundle of it; minified only when it is too long.
 * @throws {ReactorCodeError} on syntax errors, modules that are not there, and code too long even when minified.
 */
export async function bundleReactor(options: BundleOptions): Promise<Bundle> {
  const { file } = options;
  const source = await readText(file, 'The code of a reactor');
  const directory = dirname(await realpath(file));
  const plain = await runEsbuild(options, directory, false);
  const inputs = inputsOf(plain.metafile, directory);
  const bundle = { inputs, sources: inputs.filter((input) => !/[\\/]node_modules[\\/]/.test(input)) };
  const verbatim = isSelfContained(plain.metafile, file) && source.length <= LIMIT;
  if (verbatim) return { ...bundle, code: source, verbatim, minified: false };
  const code = normalized(plain.code);
  if (code.length <= LIMIT) return { ...bundle, code, verbatim, minified: false };
  const small = await runEsbuild(options, directory, true);
  if (small.code.length <= LIMIT) return { ...bundle, code: small.code, verbatim, minified: true };
  throw tooLong(small.code.length, small.metafile, directory, options);
}

function tooLong(
  length: number,
  metafile: esbuild.Metafile,
  directory: string,
  { file, cwd }: BundleOptions,
): ReactorCodeError {
  const shown = (input: string) => shownPath(resolve(directory, input), cwd);
  const room = shareOfRoom(metafile, shown).map((share) => ({ file: shownPath(file, cwd), message: share }));
  return new ReactorCodeError(
    `${shownPath(file, cwd)} comes to ${length.toLocaleString('en')} characters when bundled and minified; the limit is ${LIMIT.toLocaleString('en')}.`,
    room,
    'Import less of what takes the room, or find a smaller package.',
  );
}
