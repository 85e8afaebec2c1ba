import * as fs from 'node:fs';

/** Milliseconds for which a look at the files counts. */
const LOOK_MS = 500;

/** A file that must stay where it is, and its descriptor if it is open. */
export type KeptFile = { path: string; file?: number };

/** Tells whether the files of an open store are still there: what is written to a file without a name is lost. */
export class Presence {
  #files: () => readonly KeptFile[] = () => [];
  #lookedAt = 0;
  #missing: string | undefined;

  watch(files: () => readonly KeptFile[]): void {
    this.#files = files;
  }

  /** Returns the path of a file that is gone, or in whose place there is another one. */
  missing(): string | undefined {
    this.#lookedAt = performance.now();
    this.#missing = this.#files().find((one) => !isThere(one))?.path;
    return this.#missing;
  }

  /** For every write: looks at the files twice a second. @throws Error a file is gone */
  assertThere(): void {
    if (performance.now() - this.#lookedAt > LOOK_MS) this.missing();
    if (this.#missing !== undefined) throw new Error(`${this.#missing} is gone`);
  }
}

function isThere({ path, file }: KeptFile): boolean {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (file === undefined || found.ino === fs.fstatSync(file).ino);
}
