import { DamagedError } from '../errors.js';
import { readFileIfAny, replaceFile } from './atomic-file.js';
import type { FileSystem } from './file-system.js';

/** A JSON file of which there is always a whole one on the disk. */
export class DurableJsonFile<T> {
  readonly #files: FileSystem;
  readonly #path: string;

  constructor(files: FileSystem, path: string) {
    this.#files = files;
    this.#path = path;
  }

  /**
   * Returns null if there is no such file.
   *
   * @throws DamagedError
   */
  async read(): Promise<T | null> {
    const bytes = await readFileIfAny(this.#files, this.#path);
    return bytes === undefined ? null : (parseJson(this.#path, bytes.toString('utf8')) as T);
  }

  write(data: T): Promise<void> {
    return replaceFile(this.#files, this.#path, `${JSON.stringify(data, null, 2)}\n`);
  }
}

/** @throws DamagedError with the line at which the text stops being JSON */
export function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    const before = text.slice(0, position === undefined ? text.length : Number(position));
    throw new DamagedError(path, before.split('\n').length, 'this is not JSON');
  }
}
