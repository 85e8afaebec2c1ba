import { readFile, realpath } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import type { Comment, Token } from 'acorn';
import type { Metafile } from 'esbuild';
import { LIMITS } from '../../../contract/limits.js';
import { type ModuleAliases, resolveModule } from '../../../contract/reactor-runtime.js';
import { formatNumber } from '../../lib/text.js';
import { readTextFile } from '../../lib/text-file.js';
import { displayPath, normalizeText, readText } from '../project/selection.js';
import { ReactorCodeError } from './bundling-problems.js';
import { type BundleOptions, type EsbuildOutput, runEsbuild } from './esbuild-run.js';
import { packageOfFile } from './imports-plugin.js';
import { mappedPositions, type SourcePositions, verbatimPositions } from './source-positions.js';

export interface Bundle {
  code: string;
  /** Absolute paths of all bundled files. */
  inputs: string[];
  /** The inputs that belong to the project rather than to a package. */
  sources: string[];
  minified: boolean;
  /** It requires modules that the service does not provide by itself. */
  needsModules: boolean;
  /** Source map with paths relative to a directory. Absent if the code is the file itself. */
  map?: { json: string; directory: string };
  positions: SourcePositions;
}

export interface CodeEntry {
  name: string;
  code: string;
  external: readonly string[];
  /** False for code that is uploaded as it is, minified or not. */
  bundle?: boolean | undefined;
  minify?: boolean | undefined;
}

const LIMIT = LIMITS.reactorCodeCharacters;

/** Whether a file is CommonJS and imports only what the service provides, so that it needs no bundling. */
function isSelfContained(metafile: Metafile, file: string): boolean {
  const inputs = Object.values(metafile.inputs);
  return inputs.length === 1 && inputs[0]?.format !== 'esm' && ['.js', '.cjs'].includes(extname(file));
}

const needsModules = ({ inputs }: Metafile, aliases: ModuleAliases | undefined): boolean =>
  Object.values(inputs)
    .flatMap(({ imports }) => imports)
    .some(({ external, path }) => external && resolveModule(path, aliases) === undefined);

function listInputs({ inputs }: Metafile, directory: string): string[] {
  return Object.keys(inputs)
    .filter((input) => !/^[\w-]{2,}:|^<|^\(disabled\)/.test(input))
    .map((input) => resolve(directory, input));
}

/** Bundles a reactor. Unless minified, a self-contained file stays as it is; a bundle is minified only if it is too long. */
export async function bundleReactor(options: BundleOptions): Promise<Bundle> {
  const { file, cwd } = options;
  const source = await readText(file, 'The code file');
  const directory = dirname(await realpath(file));
  const plain = await runEsbuild(options, directory, options.minify ?? false);
  const inputs = listInputs(plain.metafile, directory);
  const files = {
    inputs,
    sources: inputs.filter((input) => packageOfFile(input) === undefined),
    needsModules: needsModules(plain.metafile, options.moduleAliases),
  };
  if (!options.minify && isSelfContained(plain.metafile, file) && source.length <= LIMIT) {
    const positions = verbatimPositions(displayPath(file, cwd));
    return { ...files, code: source, minified: false, positions };
  }
  const toBundle = (code: string, { map }: EsbuildOutput, minified: boolean): Bundle => {
    const positions = mappedPositions(map, directory, cwd);
    return { ...files, code, minified, map: { json: map, directory }, positions };
  };
  const code = await namePackages(normalizeText(plain.code), plain.metafile, directory);
  if (!options.minify && code.length <= LIMIT) return toBundle(code, plain, false);
  const minified = options.minify ? plain : await runEsbuild(options, directory, true);
  if (minified.code.length <= LIMIT) return toBundle(minified.code, minified, true);
  throw createTooLongError(minified, directory, options);
}

/** Bundles the code of an entry, unless it is uploaded as it is. @throws {ReactorCodeError} */
export function bundleEntry(
  { code: file, external, bundle, minify }: CodeEntry,
  options: Omit<BundleOptions, 'file' | 'external' | 'minify'>,
): Promise<Bundle> {
  return bundle === false
    ? readVerbatim(file, external, options.cwd)
    : bundleReactor({ ...options, file, external, minify });
}

async function readVerbatim(file: string, external: readonly string[], cwd: string): Promise<Bundle> {
  const path = displayPath(file, cwd);
  const code = await readTextFile(file, `The code file ${file}`);
  const files = { inputs: [file], sources: [file], needsModules: external.length > 0 };
  if (code.length <= LIMIT) return { ...files, code, minified: false, positions: verbatimPositions(path) };
  throw new ReactorCodeError(
    `${path} has ${formatNumber(code.length)} characters; the limit is ${formatNumber(LIMIT)}.`,
    [],
  );
}

function createTooLongError(
  { code, metafile }: EsbuildOutput,
  directory: string,
  { file, cwd }: BundleOptions,
): ReactorCodeError {
  const path = displayPath(file, cwd);
  const parts = listLargestParts(metafile, (input) => displayPath(resolve(directory, input), cwd));
  return new ReactorCodeError(
    `${path} has ${formatNumber(code.length)} characters when bundled and minified; the limit is ${formatNumber(LIMIT)}.`,
    parts.map((message) => ({ file: path, message })),
    'Use smaller packages, or leave a package that the service provides out with --external NAME.',
  );
}

/** Entries of the list; the rest is too small to matter. */
const MAX_ENTRIES = 8;

/** Lists the packages and files that are the largest parts of a bundle, largest first: `zod: 31,200 bytes (48 %)`. */
function listLargestParts({ outputs }: Metafile, formatPath: (input: string) => string): string[] {
  const bytes = new Map<string, number>();
  for (const { inputs } of Object.values(outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const owner = packageOfFile(input) ?? formatPath(input);
      bytes.set(owner, (bytes.get(owner) ?? 0) + bytesInOutput);
    }
  }
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0);
  return [...bytes]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_ENTRIES)
    .map(([owner, size]) => `${owner}: ${formatNumber(size)} bytes (${Math.round((100 * size) / total)} %)`);
}

/** Names packages, `package uuid@9.0.1: dist/index.js`, so that the code is the same with any package manager. Lines stay. */
async function namePackages(code: string, { inputs }: Metafile, directory: string): Promise<string> {
  const names = new Map<string, string>();
  for (const input of Object.keys(inputs)) {
    const name = packageOfFile(input);
    if (name !== undefined) names.set(input, await describeFile(name, input, directory));
  }
  if (names.size === 0) return code;
  const replacements = await findNames(code, names);
  return replacements.reduceRight(
    (text, { start, end, text: name }) => text.slice(0, start) + name + text.slice(end),
    code,
  );
}

async function describeFile(name: string, input: string, directory: string): Promise<string> {
  const folder = `node_modules/${name}/`;
  const start = input.lastIndexOf(folder) + folder.length;
  const manifest = await readFile(resolve(directory, input.slice(0, start), 'package.json'), 'utf8')
    .then((text) => JSON.parse(text) as { version?: unknown })
    .catch(() => ({ version: undefined }));
  const version = typeof manifest.version === 'string' ? `@${manifest.version}` : '';
  return `package ${name}${version}: ${input.slice(start)}`;
}

/** Finds where esbuild has named modules, in their order: in a comment before each, and as the key of its function. */
async function findNames(code: string, names: ReadonlyMap<string, string>) {
  const { parse } = await import('acorn');
  const [comments, tokens]: [Comment[], Token[]] = [[], []];
  parse(code, { ecmaVersion: 'latest', onComment: comments, onToken: tokens });
  const text = ({ start, end }: Token) => code.slice(start, end);
  const places = [
    ...comments.map(({ start, end }) => ({ start: start + '// '.length, end })),
    ...tokens
      .filter((_, index) => isModuleKey(tokens.slice(Math.max(0, index - 3), index).map(text)))
      .map(({ start, end }) => ({ start: start + 1, end: end - 1 })),
  ];
  return places
    .flatMap(({ start, end }) => {
      const name = names.get(code.slice(start, end));
      return name === undefined ? [] : [{ start, end, text: name }];
    })
    .sort((one, other) => one.start - other.start);
}

/** Whether the tokens before one make it the key of a module: `__commonJS({ "lib/index.js"(exports) {`. Only esbuild has these functions. */
const isModuleKey = (before: readonly string[]): boolean =>
  /^__(?:commonJS|esm)\w* \( \{$/.test(before.join(' '));
