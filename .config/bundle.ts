// Runs the bundlers, and remembers which packages the bundles contain.
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from 'rolldown';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The directory of this build, which replaces dist/ when it is complete: a command that runs meanwhile finds one or the other. */
export const output = `dist.${process.pid}`;

/** Directories of the packages whose code is in the bundles, relative to the root. */
export const bundledPackages = new Set<string>();

/** Records the package that a file belongs to. @param path relative to the root or absolute */
function recordPackage(path: string): void {
  const inPackages = /(?<![^/])node_modules\/.*/.exec(path)?.[0];
  const [directory] = inPackages?.match(/^(?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+/) ?? [];
  if (directory) bundledPackages.add(directory);
}

/** Runs esbuild, which makes one file of each entry. */
export async function bundleFiles(options: esbuild.BuildOptions): Promise<void> {
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    bundle: true,
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
    metafile: true,
  });
  for (const { inputs } of Object.values(metafile.outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs))
      if (bytesInOutput > 0) recordPackage(path);
}

/** Installed with the package, or loaded from the project of a user. */
const EXTERNAL = ['esbuild', 'vitest', '@playwright/test'];

/**
 * Runs rolldown, which splits: what entries share, and what a dynamic import loads, such as a command, becomes a file. esbuild
 * splits ES modules only, and Node.js starts CommonJS sooner: their ES modules would also read every property of `node:http`, which
 * loads the WebSocket of Node.js (goal S2). Of the emulator, a start reads 570 KB in place of 1.4 MB. Goal S3: 12.6 → 11.8 on
 * Node.js 20, 8.9 → 8.1 on Node.js 26 (processor time).
 */
export async function bundleForNode(input: InputOptions, options: OutputOptions = {}): Promise<void> {
  const external = [...EXTERNAL, ...((input.external as string[] | undefined) ?? [])];
  const build = await rolldown({ cwd: root, platform: 'node', ...input, external });
  const written = await build.write({
    dir: output,
    format: 'cjs',
    dynamicImportInCjs: false,
    minify: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    ...options,
  });
  await build.close();
  for (const chunk of written.output) if (chunk.type === 'chunk') chunk.moduleIds.forEach(recordPackage);
}

/** Takes parts from their own bundles, so that a class or a running emulator exists once. @param bundles by the path of the source */
export const apart = (bundles: Record<string, string>): Plugin => ({
  name: 'apart',
  resolveId(id, importer) {
    const file = importer && bundles[relative(root, resolve(importer, '..', id))];
    return file ? { id: file, external: true } : null;
  },
});

/** Copies a file of a package to the build. @param source absolute @param target below `output` */
export async function copyFromPackage(source: string, target: string): Promise<void> {
  recordPackage(source);
  const path = join(root, output, target);
  await mkdir(dirname(path), { recursive: true });
  await cp(source, path);
}
