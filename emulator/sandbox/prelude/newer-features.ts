import { NEWER_FEATURES } from '../../../src/contract/newer-features.js';

/** Prototypes that no global names in every engine. */
const UNNAMED: Readonly<Record<string, object>> = {
  'Iterator.prototype': Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())),
  'TypedArray.prototype': Object.getPrototypeOf(Uint8Array.prototype),
};

function findOwner(expression: string): object {
  const [name = '', property] = expression.split('.');
  const owner = (globalThis as unknown as Record<string, { prototype: object }>)[name];
  return UNNAMED[expression] ?? (property === undefined ? owner : owner?.prototype) ?? {};
}

// Before any package is evaluated: what code that works here would miss in the service.
for (const [owner, names] of Object.entries(NEWER_FEATURES))
  for (const name of names.split(' ')) Reflect.deleteProperty(findOwner(owner), name);
