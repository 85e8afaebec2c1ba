// Checks every import of src/ and emulator/ against the layers of layers.js, type-only imports included.
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
    .filter((name) => /\.tsx?$/.test(name))
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

/** Why a file may not import another file; undefined when it may. @param {string} file @param {string} target */
function violation(file, target) {
  const { folder, importer, imported } = splitAtCommonFolder(file, target);
  if (folder === '.') {
    const allowed = Object.entries(ENTRIES).flatMap(([place, entries]) => (isIn(file, place) ? entries : []));
    return allowed.some((entry) => isIn(target, entry)) ? undefined : `may not import ${target}`;
  }
  const rows = LAYERS[folder];
  if (!rows) return undefined;
  for (const part of [importer, imported]) {
    if (!/\.tsx?$/.test(part) && !rows[part]) return `${folder}/${part} is not in .config/layers.js`;
  }
  const row = rows[importer];
  if (!row || !rows[imported] || row.includes(imported)) return undefined;
  return `${folder}/${importer} may import ${row.join(', ') || 'none of its siblings'}; not ${imported}`;
}

/** Why a file may not import a package; undefined when it may. @param {string} file @param {string} specifier */
function packageViolation(file, specifier) {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  const owners = OWNERS[name];
  if (owners && !owners.some((place) => isIn(file, place)))
    return `only ${owners.join(', ')} may import ${name}`;
  for (const [place, packages] of Object.entries(PACKAGES)) {
    if (isIn(file, place) && !packages.includes(name))
      return `${place} may import ${packages.join(', ')}; not ${name}`;
  }
  return undefined;
}

/** Cycles in the tables themselves: siblings that may import each other. */
function tableCycles() {
  /** @type {string[]} */
  const found = [];
  for (const [folder, rows] of Object.entries(LAYERS)) {
    /** @param {string} part @param {string[]} path */
    const visit = (part, path) => {
      if (path.includes(part)) found.push(`${folder}: ${[...path, part].join(' → ')}`);
      else for (const next of rows[part] ?? []) visit(next, [...path, part]);
    };
    for (const part of Object.keys(rows)) visit(part, []);
  }
  return found;
}

const errors = tableCycles().map((cycle) => `.config/layers.js: cycle in ${cycle}`);
for (const file of [...sourceFiles('src'), ...sourceFiles('emulator')]) {
  const text = readFileSync(join(root, file), 'utf8');
  for (const [, specifier = ''] of text.matchAll(SPECIFIER)) {
    if (/^(?:node:|#)/.test(specifier)) continue;
    const target = specifier.startsWith('.') ? resolveImport(file, specifier) : undefined;
    if (target === 'package.json') continue;
    const reason = target ? violation(file, target) : packageViolation(file, specifier);
    if (reason) errors.push(`${file}: '${specifier}': ${reason}`);
  }
}
if (errors.length > 0) {
  console.error(`${errors.join('\n')}\n${errors.length} imports that the layers do not allow.`);
  process.exitCode = 1;
}
