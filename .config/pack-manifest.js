// Makes package.json what is published while npm packs: without the scripts, which a user cannot run, and without what only
// the repository needs. `strip` before, `restore` after; both restore what an interrupted `npm pack` has left.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const manifest = fileURLToPath(new URL('../package.json', import.meta.url));
const original = `${manifest}.orig`;

function restoreManifest() {
  if (existsSync(original)) renameSync(original, manifest);
}

function stripManifest() {
  const text = readFileSync(manifest, 'utf8');
  const { scripts, devDependencies, overrides, ...published } = JSON.parse(text);
  writeFileSync(original, text);
  writeFileSync(manifest, `${JSON.stringify(published, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  restoreManifest();
  if (process.argv[2] === 'strip') stripManifest();
}
