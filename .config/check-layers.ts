// Checks every import against the layers of layers.ts, type-only imports included.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LAYERS, PACKAGES } from './layers.js';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** Module specifiers: `from '…'`, `import '…'`, `import('…')`. Biome's formatter leaves no other form. */
const SPECIFIER = /(?:^import |\bfrom |\bimport\()'([^'#][^']*)'/gm;

/** @param place a folder or a file */
const isIn = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`);

/** The rows of a table, with the names on both sides. */
const rowsOf = (table: Record<string, string> = {}) =>
  Object.entries(table).map(([places, allowed]) => ({
    places: places.split(' '),
    allowed: allowed.split(' '),
  }));

/** The deepest folder that contains both files. */
function commonFolder(file: string, target: string): string {
  let folder = dirname(file);
  while (folder !== '.' && !isIn(target, folder)) folder = dirname(folder);
  return folder;
}

/** Why a file may not import another file; undefined when it may. */
function violation(file: string, target: string): string | undefined {
  const folder = commonFolder(file, target);
  const [from, to] = [relative(folder, file), relative(folder, target)];
  const rows = rowsOf(LAYERS[folder]);
  const isShared = (path: string) =>
    dirname(path) === '.' && !rows.some(({ places }) => places.includes(path));
  if (isShared(from) || isShared(to)) return undefined;
  const allowed = rows
    .filter(({ places }) => places.some((place) => isIn(from, place)))
    .flatMap((row) => row.allowed);
  if (allowed.some((place) => place === '*' || isIn(to, place))) return undefined;
  return `in ${folder} it may import ${allowed.join(', ') || 'nothing'}; not ${to}`;
}

/** Why a file may not import a package or a module of Node.js; undefined when it may. */
function packageViolation(file: string, name: string): string | undefined {
  const places = Object.keys(PACKAGES).filter((place) => isIn(file, place));
  const allowed = PACKAGES[places.sort((a, b) => b.length - a.length)[0] ?? ''];
  if (allowed === undefined || allowed.split(' ').some((one) => isIn(name, one))) return undefined;
  return `it may import ${allowed}`;
}

/** Names that a table mentions before their own row: the places could import each other. */
const wrongOrder = Object.entries(LAYERS).flatMap(([folder, table]) => {
  const rows = rowsOf(table);
  return rows.flatMap(({ places, allowed }, row) => {
    const below = rows.slice(row).flatMap((other) => other.places);
    const names = allowed.filter((name) => below.includes(name));
    return names.map(
      (name) => `.config/layers.ts: ${folder}: ${places.join(' ')} is above ${name}, which it names`,
    );
  });
});

/** What is wrong with the imports of a file. */
function violations(file: string): string[] {
  const specifiers = [...readFileSync(file, 'utf8').matchAll(SPECIFIER)].map(
    ([, specifier = '']) => specifier,
  );
  return specifiers.flatMap((specifier) => {
    const path = join(dirname(file), specifier);
    const sources = ['.ts', '.tsx', '.js'].map((extension) => path.replace(/\.js$/, extension));
    // Examples in texts name files that do not exist, and the compiler finds the others.
    const target = [...sources, path].find(existsSync);
    if (specifier.startsWith('.') && target === undefined) return [];
    const reason =
      target && specifier.startsWith('.') ? violation(file, target) : packageViolation(file, specifier);
    return reason === undefined ? [] : [`${file}: '${specifier}': ${reason}`];
  });
}

const files = ['src', 'emulator', 'test', 'bench', '.config'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
);
const errors = [
  ...wrongOrder,
  ...files.filter((name) => /(?<!\.d)\.(?:tsx?|js)$/.test(name)).flatMap(violations),
];
if (errors.length > 0) {
  console.error(`${errors.join('\n')}\n${errors.length} imports that the layers do not allow.`);
  process.exitCode = 1;
}
