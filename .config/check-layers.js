// Checks every import against the layers of layers.js, type-only imports included.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENTRIES, LAYERS, OWNERS, PACKAGES } from './layers.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Module specifiers: `from '…'`, `import '…'`, `import('…')`. Biome's formatter leaves no other form. */
const SPECIFIER = /(?:^import |\bfrom |\bimport\()'([^']+)'/gm;

/** @param {string} folder */
const sourceFiles = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.(?:tsx?|js)$/.test(name))
    .map((name) => join(folder, name));

/** @param {string} file @param {string} place A folder or a file. */
const isIn = (file, place) => file === place || file.startsWith(`${place}/`);

/** The file that a relative specifier names. @param {string} file @param {string} specifier */
function resolveImport(file, specifier) {
  const path = join(dirname(file), specifier);
  const sources = ['.ts', '.tsx'].map((extension) => path.replace(/\.js$/, extension));
  return sources.find((source) => existsSync(join(root, source))) ?? path;
}

/** The deepest folder that contains both files, and the part of it that each lies in. @param {string} from @param {string} to */
function splitAtCommonFolder(from, to) {
  const [a, b] = [from.split('/'), to.split('/')];
  let depth = 0;
  while (a[depth] === b[depth]) depth += 1;
  return { folder: a.slice(0, depth).join('/') || '.', importer: a[depth] ?? '', imported: b[depth] ?? '' };
}

/** The names in a row. @param {string | undefined} row */
const namesIn = (row) => row?.split(' ') ?? [];

/** What a table has for the places that a file lies in, the innermost place first. @param {Record<string, string>} table @param {string} file */
const rowsFor = (table, file) =>
  Object.keys(table)
    .filter((place) => isIn(file, place))
    .sort((a, b) => b.length - a.length)
    .map((place) => table[place]);

/** Why a file may not import another file; undefined when it may. @param {string} file @param {string} target */
function violation(file, target) {
  const { folder, importer, imported } = splitAtCommonFolder(file, target);
  if (folder === '.') {
    const allowed = rowsFor(ENTRIES, file).flatMap(namesIn);
    return allowed.some((entry) => isIn(target, entry)) ? undefined : `may not import ${target}`;
  }
  const rows = LAYERS[folder] ?? {};
  /** @param {string} part */
  const isShared = (part) => /\.\w+$/.test(part) && !(part in rows);
  const row = rows[importer] ?? '';
  if (isShared(importer) || isShared(imported) || row === '*' || namesIn(row).includes(imported))
    return undefined;
  return `${folder}/${importer} may import ${row || 'none of its siblings'}; not ${imported}`;
}

/** Why a file may not import a package or a module of Node.js; undefined when it may. @param {string} file @param {string} specifier */
function packageViolation(file, specifier) {
  const [name = '', scope = ''] = /^(@[^/]+)?[^/]+(?:\/[^/]+)?/.exec(specifier) ?? [];
  const owners = namesIn(OWNERS[specifier] ?? OWNERS[scope]);
  if (/^(?:src|emulator)\//.test(file) && owners.length > 0 && !owners.some((place) => isIn(file, place)))
    return `only ${owners.join(', ')} may import ${name}`;
  const [allowed] = rowsFor(PACKAGES, file);
  if (allowed === undefined || namesIn(allowed).some((one) => isIn(specifier, one))) return undefined;
  return `it may import ${allowed}; not ${name}`;
}

/** Cycles in the tables themselves: siblings that may import each other. */
function tableCycles() {
  /** @type {string[]} */
  const found = [];
  for (const [folder, rows] of Object.entries(LAYERS)) {
    /** @param {string} part @param {string[]} path */
    const visit = (part, path) => {
      if (path.includes(part)) found.push(`${folder}: ${[...path, part].join(' → ')}`);
      else for (const next of namesIn(rows[part])) visit(next, [...path, part]);
    };
    for (const part of Object.keys(rows)) visit(part, []);
  }
  return found;
}

const errors = tableCycles().map((cycle) => `.config/layers.js: cycle in ${cycle}`);
for (const file of ['src', 'emulator', 'test', 'bench', '.config'].flatMap(sourceFiles)) {
  const text = readFileSync(join(root, file), 'utf8');
  for (const [, specifier = ''] of text.matchAll(SPECIFIER)) {
    if (specifier.startsWith('#')) continue;
    const target = specifier.startsWith('.') ? resolveImport(file, specifier) : undefined;
    // Examples in texts name files that do not exist, and the compiler finds the others.
    if (target === 'package.json' || (target && !existsSync(join(root, target)))) continue;
    const reason = target ? violation(file, target) : packageViolation(file, specifier);
    if (reason) errors.push(`${file}: '${specifier}': ${reason}`);
  }
}
if (errors.length > 0) {
  console.error(`${errors.join('\n')}\n${errors.length} imports that the layers do not allow.`);
  process.exitCode = 1;
}
