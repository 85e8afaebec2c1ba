// Writes the declarations of the entry points to dist/types. The bundles contain zod, so its declarations are published too.
import { execFileSync } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './bundle.js';

export async function buildTypes(): Promise<void> {
  const types = join(root, 'dist/types');
  await rm(types, { recursive: true, force: true });
  const compiler = [
    join(root, 'node_modules/typescript/bin/tsc'),
    '--project',
    '.config/tsconfig.types.json',
  ];
  execFileSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' });
  const filter = (path: string) => !/\.(?:js|cjs|d\.cts)$/.test(path);
  for (const part of ['LICENSE', 'index.d.ts', 'mini', 'v4'])
    await cp(join(root, 'node_modules/zod', part), join(types, 'zod', part), { recursive: true, filter });
  for (const entry of await readdir(types, { recursive: true })) {
    const file = join(types, entry);
    if (!entry.endsWith('.d.ts') || entry.startsWith('zod/')) continue;
    const text = await readFile(file, 'utf8');
    const packages = relative(dirname(file), types);
    await writeFile(file, text.replaceAll(/(["'])(zod|zod\/mini)\1/g, `'${packages}/$2/index.js'`));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildTypes();
