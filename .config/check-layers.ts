// Checks every import against the layers of layers.ts, type-only imports included.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ACROSS, LAYERS, PACKAGES } from './layers.js';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** Module specifiers: `from '…'`, `import '…'`, `import('…')`. Biome's formatter leaves no other form. */
const SPECIFIER = /(?:^import |\bfrom |\bimport\()'([^'#][^']*)'/gm;

/** @param place a folder or a file */
const isIn = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`);

/** What the rows of a table allow a file or folder, with the names of the rows. */
const allowedIn = (table: Record<string, string>, file: string): [place: string, allowed: string[]][] =>
  Object.entries(table).flatMap(([place, allowed]) =>
    isIn(file, place) ? [[place, allowed.split(' ')]] : [],
  );

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
  const layers = (LAYERS[folder] ?? '').split(' < ').map((layer) => layer.split(' '));
  const layerOf = (path: string) => layers.findIndex((places) => places.some((place) => isIn(path, place)));
  const isShared = (path: string) => dirname(path) === '.' && layerOf(path) < 0;
  if (isShared(from) || isShared(to)) return undefined;
  const allowed =
    folder === '.'
      ? allowedIn(ACROSS, file).flatMap(([, places]) => places)
      : layers.slice(0, Math.max(0, layerOf(from))).flat();
  if (allowed.some((place) => isIn(to, place))) return undefined;
  return `in ${folder} it may import ${allowed.join(', ') || 'nothing'}; not ${to}`;
}

/** Why a file may not import a package or a module of Node.js; undefined when it may. The row of a file replaces that of its folder. */
function packageViolation(file: string, name: string): string | undefined {
  const [, allowed] = allowedIn(PACKAGES, file).sort(([a], [b]) => b.length - a.length)[0] ?? [];
  if (allowed === undefined || allowed.some((one) => isIn(name, one))) return undefined;
  return `it may import ${allowed.join(', ')}`;
}

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
const errors = files.filter((name) => /(?<!\.d)\.(?:tsx?|js)$/.test(name)).flatMap(violations);
if (errors.length > 0) {
  console.error(`${errors.join('\n')}\n${errors.length} imports that the layers do not allow.`);
  process.exitCode = 1;
}
