import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type * as esbuild from 'esbuild';

/** What esbuild appends to the path of an import. */
const ENDINGS = ['', '.tsx', '.ts', '.jsx', '.js', '.json', '/index.ts', '/index.js'];

/** Records the imports of a bundle, because the metadata of one that fails has none. */
export class Imports {
  /** Imported files of the project, as they are named. */
  readonly #targets = new Set<string>();

  readonly plugin: esbuild.Plugin = {
    name: 'imports',
    setup: (build) => {
      build.onResolve({ filter: /^\.\.?(\/|$)/ }, ({ path, resolveDir }) => {
        this.#targets.add(resolve(resolveDir, path));
        return undefined;
      });
    },
  };

  /** Returns the imported files of the project, and of one that does not exist all that its name could mean. */
  list(): string[] {
    return [...this.#targets].flatMap((target) => {
      const found = candidates(target).filter((path) => existsSync(path));
      return found.length > 0 ? found : candidates(target);
    });
  }
}

/** A TypeScript file may be imported under the name of its output. */
function candidates(target: string): string[] {
  const typed = target.replace(/\.([cm]?)jsx?$/, '.$1ts');
  return [...new Set([typed, ...ENDINGS.map((ending) => target + ending)])];
}

export function packageOfFile(path: string): string | undefined {
  const match = /^.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path);
  return match?.[1]?.replace('\\', '/');
}

export const packageOfImport = (specifier: string): string =>
  specifier.replace(/^((?:@[^/]*\/)?[^/]*).*$/s, '$1');
