// Writes the declarations of the entry points to dist/types: those that a user's compiler reads and no others, with
// the declarations of zod, so that it compiles them without installing what the bundles contain.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuildCurrent, stampBuild } from './build-stamp.js';

const root = fileURLToPath(new URL('..', import.meta.url));

const ENTRIES = [
  'src/client/index.d.ts',
  'src/contract/index.d.ts',
  'src/testing/index.d.ts',
  'src/testing/vitest/index.d.ts',
  'src/testing/vitest/setup.d.ts',
  'src/testing/playwright/index.d.ts',
  'src/testing/playwright/setup.d.ts',
  'src/testing/playwright/reporter.d.ts',
];

/** Packages whose declarations are published with ours. */
const VENDORED = ['zod'];

/** Packages that a user of their entry point has installed. */
const PEERS = ['vitest', '@playwright/test'];

/** Module specifiers of a declaration file. */
const SPECIFIER = /(\bfrom |\bimport\(|\bimport )(["'])([^"'\n]+)\2/g;

/** @param {string} specifier */
const isPeer = (specifier) => PEERS.some((name) => specifier === name || specifier.startsWith(`${name}/`));

/** @param {string} path */
const declarationOf = (path) => path.replace(/\.([cm]?)js$/, '.d.$1ts');

/** The declarations of a package, relative to node_modules. @param {string} specifier @returns {Promise<string>} */
async function resolvePackage(specifier) {
  const [name = '', ...rest] = specifier.split('/');
  if (!VENDORED.includes(name)) throw new Error(`The declarations would need ${specifier}.`);
  const manifest = JSON.parse(await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8'));
  const { types, import: { types: nested } = {} } = manifest.exports[['.', ...rest].join('/')];
  return join(name, types?.replace(/\.d\.cts$/, '.d.ts') ?? nested);
}

/**
 * Copies a declaration file and those that it imports.
 * @param {{ source: string, target: string }} tree where files are, and where they go
 * @param {string} file relative to both
 * @param {Set<string>} done
 */
async function copyWithImports(tree, file, done) {
  const path = join(tree.target, file);
  if (done.has(path)) return;
  done.add(path);
  let text = await readFile(join(tree.source, file), 'utf8');
  for (const [statement, keyword, quote, specifier = ''] of text.matchAll(SPECIFIER)) {
    if (specifier.startsWith('node:') || isPeer(specifier)) continue;
    if (specifier.startsWith('.')) {
      await copyWithImports(tree, join(dirname(file), declarationOf(specifier)), done);
      continue;
    }
    const vendored = await resolvePackage(specifier);
    const packages = { source: join(root, 'node_modules'), target: join(root, 'dist/types/vendor') };
    await copyWithImports(packages, vendored, done);
    const local = relative(dirname(path), join(packages.target, vendored)).replace(/\.d\.ts$/, '.js');
    const replacement = `${keyword}${quote}${local.startsWith('.') ? local : `./${local}`}${quote}`;
    text = text.replaceAll(statement, replacement);
  }
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

export async function buildTypes() {
  const target = join(root, 'dist/types');
  await rm(target, { recursive: true, force: true });
  const source = await mkdtemp(join(tmpdir(), 'tokenctl-types-'));
  try {
    const compiler = fileURLToPath(
      import.meta.resolve('typescript/package.json').replace('package.json', 'bin/tsc'),
    );
    execFileSync(
      process.execPath,
      [compiler, '--project', '.config/tsconfig.types.json', '--outDir', source],
      {
        cwd: root,
        stdio: 'inherit',
      },
    );
    /** @type {Set<string>} */
    const done = new Set();
    for (const entry of ENTRIES) await copyWithImports({ source, target }, entry, done);
    for (const name of VENDORED)
      await cp(join(root, 'node_modules', name, 'LICENSE'), join(target, 'vendor', name, 'LICENSE'));
    await stampBuild(root, 'dist/types');
  } finally {
    await rm(source, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !(await isBuildCurrent(root, 'dist/types')))
  await buildTypes();
