import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Comment, Token } from 'acorn';
import type { Metafile } from 'esbuild';
import { packageOfFile } from './imports-plugin.js';

interface Replacement {
  start: number;
  end: number;
  text: string;
}

/** Names packages, `package uuid@9.0.1: dist/index.js`, so that the code is the same with any package manager. Lines stay. */
export async function namePackages(code: string, { inputs }: Metafile, directory: string): Promise<string> {
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
async function findNames(code: string, names: ReadonlyMap<string, string>): Promise<Replacement[]> {
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
