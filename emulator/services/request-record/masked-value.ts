import { randomInt } from 'node:crypto';
import { maskName, maskText } from '../../../src/contract/masking.js';

/** A text or number without its value: its mask, and a fingerprint that equal values share. */
class MaskedLeaf {
  constructor(
    readonly mask: string,
    readonly type: 'string' | 'number',
    readonly fingerprint: number,
  ) {}
}

/** A JSON value whose texts and numbers are masked. */
export type MaskedValue =
  | MaskedLeaf
  | boolean
  | null
  | undefined
  | MaskedValue[]
  | { [name: string]: MaskedValue };

/** Of this process: fingerprints say nothing outside of it. */
const SEED = randomInt(2 ** 32);

/** Computes a hash of 53 bits. Not cryptographic, because it is only compared within this process and must be fast. */
function fingerprintOf(text: string): number {
  let [a, b] = [0xdeadbeef ^ SEED, 0x41c6ce57 ^ SEED];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

/** Masks every text and number of a JSON value. Names of properties stay. Of what is not JSON nothing is kept. */
export function maskValue(value: unknown): MaskedValue {
  if (value instanceof Uint8Array) return undefined;
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    return new MaskedLeaf(maskText(text), typeof value as 'string' | 'number', fingerprintOf(text));
  }
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value !== 'object' || value === null) return value as boolean | null | undefined;
  // A query may have a parameter of this name, which would become the prototype.
  const masked: { [name: string]: MaskedValue } = Object.hasOwn(value, '__proto__')
    ? Object.create(null)
    : {};
  for (const name of Object.keys(value)) masked[name] = maskValue((value as Record<string, unknown>)[name]);
  return masked;
}

/** Returns a masked value as JSON that can be shown. */
export function showMasked(value: MaskedValue): unknown {
  if (value instanceof MaskedLeaf) return value.mask;
  if (Array.isArray(value)) return value.map(showMasked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [maskName(name), showMasked(item)]));
}

/** Whether two values without parts are equal. */
export function isSameLeaf(one: MaskedValue, other: MaskedValue): boolean {
  if (one instanceof MaskedLeaf && other instanceof MaskedLeaf)
    return one.type === other.type && one.fingerprint === other.fingerprint;
  return one === other;
}

export function typeOfMasked(value: MaskedValue): string {
  if (value instanceof MaskedLeaf) return value.type;
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}
