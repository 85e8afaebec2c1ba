import { dequal } from 'dequal';
import { format, formatWithOptions, inspect, stripVTControlCharacters } from 'node-inspect-extracted';
import { createArgumentError, describeReceived } from '../bridge/argument-error.js';
import { loadBundle } from './load-bundle.js';

const CUSTOM_PROMISIFY = Symbol.for('nodejs.util.promisify.custom');

/** Wraps that of the package, whose symbol is not the one of other modules. */
function createPromisify(promisify: (original: unknown) => unknown): object {
  const promisifyCustom = (original: unknown): unknown => {
    if (typeof original !== 'function')
      throw createArgumentError(
        `The "original" argument must be of type function. ${describeReceived(original)}`,
      );
    const custom = Reflect.get(original, CUSTOM_PROMISIFY) as unknown;
    return typeof custom === 'function' ? custom : promisify(original);
  };
  return Object.assign(promisifyCustom, { custom: CUSTOM_PROMISIFY });
}

/** The sections of NODE_DEBUG, which a reactor has none of. */
const createDebugLog = () => Object.assign(() => {}, { enabled: false });

function inherits(child: NewableFunction, parent: NewableFunction): void {
  Object.defineProperty(child, 'super_', { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(child.prototype as object, parent.prototype as object);
}

/** Creates `require('util')`: the package of that name, with what is newer in Node.js. */
export function createUtilModule(require: (name: string) => unknown): object {
  const util = loadBundle('util', require) as typeof import('node:util');
  return {
    ...util,
    TextDecoder,
    TextEncoder,
    debug: createDebugLog,
    debuglog: createDebugLog,
    format,
    formatWithOptions,
    inherits,
    inspect,
    isDeepStrictEqual: (a: unknown, b: unknown): boolean => dequal(a, b),
    isPrimitive: (value: unknown) => Object(value) !== value,
    promisify: createPromisify(util.promisify as (original: unknown) => unknown),
    stripVTControlCharacters,
    toUSVString: (text: unknown) => String(text).replace(/\p{Surrogate}/gu, '\ufffd'),
    types: { ...util.types, isExternal: () => false, isProxy: () => false },
  };
}
