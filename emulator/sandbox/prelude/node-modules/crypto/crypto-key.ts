import type { Algorithm } from './algorithms.js';
import { failure } from './algorithms.js';
import type { KeyObject } from './key-object.js';

/** Returns the key behind a `CryptoKey`, which code cannot read. Set by the class itself. */
export let keyObjectOf: (key: CryptoKey) => KeyObject;

/** `CryptoKey` of the Web Crypto API. */
export class CryptoKey {
  readonly type: KeyObject['type'];
  readonly extractable: boolean;
  readonly algorithm: Algorithm;
  readonly usages: string[];
  readonly #key: KeyObject;

  constructor(key: KeyObject, algorithm: Algorithm, extractable: boolean, usages: readonly string[]) {
    this.#key = key;
    this.type = key.type;
    this.algorithm = algorithm;
    this.extractable = extractable;
    this.usages = [...usages];
  }

  static {
    keyObjectOf = (key) => key.#key;
  }

  get [Symbol.toStringTag](): string {
    return 'CryptoKey';
  }
}

/** Checks that a key may be used so. @throws DOMException InvalidAccessError */
export function useKey(key: CryptoKey, { name }: Algorithm, usage: string): KeyObject {
  if (key.algorithm.name !== name) throw failure('InvalidAccessError', 'Key algorithm mismatch');
  if (!key.usages.includes(usage)) throw failure('InvalidAccessError', `Unable to use this key to ${usage}`);
  return keyObjectOf(key);
}
