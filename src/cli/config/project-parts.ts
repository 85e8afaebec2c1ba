import { dirname, resolve } from 'node:path';
import { isObject } from '../../contract/json.js';
import { readDocument } from '../lib/document.js';
import { usageError } from '../lib/errors.js';

type Document = Record<string, unknown>;

/** Reads a manifest and the files that it includes as one document, without the blocks `x-…`, which YAML anchors refer to. */
export async function readParts(path: string, what: string) {
  const { include, ...main } = await readDocument(path, what, { mayBeEmpty: true });
  if (include === undefined) return { document: withoutExtensions(main), included: [] };
  if (!Array.isArray(include) || !include.every((file) => typeof file === 'string'))
    throw usageError(`\`include\` of ${path} must be a list of files.`);
  const included = include.map((file) => resolve(dirname(path), file.replaceAll('\\', '/')));
  let document = withoutExtensions(main);
  for (const file of included) {
    const part = await readDocument(file, `The included file ${file}`, { mayBeEmpty: true });
    if (part.include !== undefined) throw usageError(`The included file ${file} cannot include others.`);
    document = merge(document, withoutExtensions(part), `The included file ${file}`);
  }
  return { document, included };
}

const withoutExtensions = (document: Document): Document =>
  Object.fromEntries(Object.entries(document).filter(([name]) => !name.startsWith('x-')));

/** Adds lists to lists, and objects to objects. */
function merge(base: Document, part: Document, where: string): Document {
  const merged = { ...base };
  for (const [name, value] of Object.entries(part)) {
    const present = Object.hasOwn(base, name) ? base[name] : undefined;
    if (present === undefined) merged[name] = value;
    else if (Array.isArray(present) && Array.isArray(value)) merged[name] = [...present, ...value];
    else if (isObject(present) && isObject(value)) merged[name] = merge(present, value, where);
    else if (name !== '$schema') throw usageError(`${where} sets ${name}, which is already set.`);
  }
  return merged;
}
