import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type * as esbuild from 'esbuild';

/** What esbuild appends to the path of an import. */
const ENDINGS = ['', '.tsx', '.ts', '.jsx', '.js', '.json', '/index.ts', '/index.js'];

/** An import statement in a file of the project. */
interface ProjectImport {
  /** Absolute path. */
  file: string;
  /** The imported package. */
  name: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
}

/** Records the imports of a bundle, because the metadata of one that fails has none. */
export class Imports {
  /** Imported files of the project, as they are named. */
  readonly #targets = new Set<string>();
  /** Importing files by imported package. */
  readonly #importers = new Map<string, Set<string>>();

  readonly plugin: esbuild.Plugin = {
    name: 'imports',
    setup: (build) => {
      build.onResolve({ filter: /^\.\.?(\/|$)/ }, ({ path, resolveDir }) => {
        this.#targets.add(resolve(resolveDir, path));
        return undefined;
      });
      // Modules that stand for packages of the service have no files.
      build.onResolve({ filter: /^[^./]/, namespace: 'file' }, ({ path, kind, importer }) => {
        const name = packageOfImport(path);
        const importers = this.#importers.get(name) ?? new Set();
        if (kind !== 'entry-point') this.#importers.set(name, importers.add(importer));
        return undefined;
      });
    },
  };

  /** Returns the imported files of the project, and the directory of each that does not exist, which changes when it is created. */
  list(): string[] {
    return [...this.#targets].flatMap((target) => {
      const found = [...candidates(target)].filter((path) => existsSync(path));
      return found.length > 0 ? found : [dirname(target)];
    });
  }

  /** Finds the import in the project through which a package is part of the bundle, directly or by way of other packages. */
  findProjectImport(name: string, visited = new Set<string>()): ProjectImport | undefined {
    if (visited.has(name)) return undefined;
    visited.add(name);
    const importers = [...(this.#importers.get(name) ?? [])];
    const file = importers.find((path) => packageOfFile(path) === undefined);
    if (file !== undefined) return { file, name, ...locateImport(file, name) };
    for (const path of importers) {
      const found = this.findProjectImport(packageOfFile(path) ?? '', visited);
      if (found) return found;
    }
    return undefined;
  }
}

/** Locates the quoted name of a package in a file. */
function locateImport(file: string, name: string): { line: number; column: number } {
  const quoted = ["'", '"'].flatMap((quote) => [quote + name + quote, `${quote}${name}/`]);
  for (const [index, line] of readFileSync(file, 'utf8').split(/\r?\n/).entries()) {
    const columns = quoted.map((text) => line.indexOf(text)).filter((column) => column >= 0);
    if (columns.length > 0) return { line: index + 1, column: Math.min(...columns) + 1 };
  }
  return { line: 1, column: 1 };
}

/** A TypeScript file may be imported under the name of its output. */
function candidates(target: string): Set<string> {
  const typed = target.replace(/\.([cm]?)jsx?$/, '.$1ts');
  return new Set([typed, ...ENDINGS.map((ending) => target + ending)]);
}

/** Returns the package that a file belongs to; undefined for a file of the project. */
export function packageOfFile(path: string): string | undefined {
  const match = /^.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path);
  return match?.[1]?.replace('\\', '/');
}

/** Returns the package of an import: `@scope/name` for `@scope/name/file`. */
export const packageOfImport = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
