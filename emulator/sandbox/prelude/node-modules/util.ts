// `require('util')`: the package of that name, with what is newer in Node.js.
import { dequal } from 'dequal';
import { inspect } from 'node-inspect-extracted';
import util from 'util/util.js';
import { createArgumentError, describeReceived } from '../bridge/host.js';

export { format, formatWithOptions, stripVTControlCharacters } from 'node-inspect-extracted';
export * from 'util/util.js';
export { inspect };

export const { TextDecoder, TextEncoder } = globalThis;

const CUSTOM_PROMISIFY = Symbol.for('nodejs.util.promisify.custom');

/** Wraps that of the package, whose symbol is not the one of other modules. */
function promisifyCustom(original: unknown): unknown {
  if (typeof original !== 'function')
    throw createArgumentError(
      `The "original" argument must be of type function. ${describeReceived(original)}`,
    );
  const custom = Reflect.get(original, CUSTOM_PROMISIFY) as unknown;
  return typeof custom === 'function' ? custom : util.promisify(original as never);
}

export const promisify = Object.assign(promisifyCustom, { custom: CUSTOM_PROMISIFY });

/** The sections of NODE_DEBUG, which a reactor has none of. */
export const debuglog = () => Object.assign(() => {}, { enabled: false });
export { debuglog as debug };

export function inherits(child: NewableFunction, parent: NewableFunction): void {
  Object.defineProperty(child, 'super_', { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(child.prototype as object, parent.prototype as object);
}

export const isDeepStrictEqual = (a: unknown, b: unknown): boolean => dequal(a, b);
export const isPrimitive = (value: unknown): boolean => Object(value) !== value;
export const toUSVString = (text: unknown): string => String(text).replace(/\p{Surrogate}/gu, '\ufffd');
export const types = { ...util.types, isExternal: () => false, isProxy: () => false };
