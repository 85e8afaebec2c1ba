import { readFileSync } from 'node:fs';
import { packageOfFile, packageOfImport } from './imports-plugin.js';

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

/** Records which file imports which package, to find the statement of the project through which a package came. */
export class ImportChain {
  /** Importing files and packages by imported package. */
  readonly #importers = new Map<string, Set<string>>();

  /** @param importer absolute path */
  add(importer: string, specifier: string): void {
    const name = packageOfImport(specifier);
    const importers = this.#importers.get(name) ?? new Set();
    this.#importers.set(name, importers.add(importer));
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
