import fc, { type Arbitrary } from 'fast-check';
import { anyJson, oddText } from './values.js';

/** Generates a value with one part replaced, removed or added. */
export function mutated(value: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc
    .tuple(value, fc.nat(50), fc.constantFrom('replace', 'remove', 'add'), oddText, anyJson)
    .map((parts) => {
      const [original, at, how, name, odd] = parts;
      const copy = structuredClone(original);
      const places = objectsIn(copy);
      const place = places[at % Math.max(places.length, 1)];
      if (place === undefined) return odd;
      const keys = Object.keys(place);
      const chosen = keys[at % Math.max(keys.length, 1)];
      if (how === 'add' || chosen === undefined) define(place, name, odd);
      else if (how === 'remove') delete place[chosen];
      else define(place, chosen, odd);
      return copy;
    });
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(objectsIn)];
}

/** Defines a property; assigning `__proto__` would set the prototype instead. */
function define(place: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(place, name, { value, enumerable: true, writable: true, configurable: true });
}
