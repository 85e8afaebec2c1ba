import { basename } from 'node:path';
import { isObject } from '../../contract/json.js';

/** Derives the name of a reactor from its file, without the extension, for an entry without a name. */
export function defaultReactorName(path: string): string {
  return basename(path.replaceAll('\\', '/')).replace(/\.[^.]+$/, '');
}

export function rowName(row: unknown): unknown {
  const { name, code } = isObject(row) ? row : {};
  return name ?? (typeof code === 'string' ? defaultReactorName(code) : undefined);
}
