import { randomInt } from 'node:crypto';
import { maskContent, maskName, showLeaf } from '../../../src/contract/masking.js';

/** A text or number: what is shown of it, and a fingerprint that equal values share. */
class MaskedLeaf {
  constructor(
    /** Its mask, or the value itself if it describes the request. */
    readonly shown: string | number,
    readonly type: 'string' | 'number',
    readonly fingerprint: number,
  ) {}
}

/** A JSON value whose texts and numbers are masked. */
export type MaskedValue =
  | MaskedLeaf
  | string
  | number
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

/** Masks what a request carried, by the origin of its values. Of what is not JSON nothing is kept. */
export function maskValue(value: unknown, operation: string | undefined): MaskedValue {
  if (value instanceof Uint8Array) return undefined;
  return maskContent(value, operation, maskLeaf) as MaskedValue;
}

const maskLeaf = (leaf: string | number, isShown: boolean) =>
  new MaskedLeaf(showLeaf(leaf, isShown), typeof leaf as 'string' | 'number', fingerprintOf(String(leaf)));

/** Returns a masked value as JSON that can be shown. */
export function showMasked(value: MaskedValue): unknown {
  if (value instanceof MaskedLeaf) return value.shown;
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
