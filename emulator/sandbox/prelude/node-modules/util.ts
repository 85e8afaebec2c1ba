import { Buffer } from 'buffer';
import { dequal } from 'dequal';
import { format, formatWithOptions, inspect } from 'node-inspect-extracted';
import { createArgumentError, describeReceived } from '../bridge/argument-error.js';
import { TextDecoder, TextEncoder } from '../web/text-encoding.js';

type AnyFunction = (...args: unknown[]) => unknown;

const CUSTOM_PROMISIFY = Symbol.for('nodejs.util.promisify.custom');

function assertFunction(value: unknown, name: string): AnyFunction {
  if (typeof value === 'function') return value as AnyFunction;
  throw createArgumentError(`The "${name}" argument must be of type function. ${describeReceived(value)}`);
}

function promisify(original: unknown): AnyFunction {
  const call = assertFunction(original, 'original');
  const custom = (call as unknown as Record<symbol, unknown>)[CUSTOM_PROMISIFY];
  if (typeof custom === 'function') return custom as AnyFunction;
  function promised(this: unknown, ...args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      call.call(this, ...args, (error: unknown, value: unknown) => (error ? reject(error) : resolve(value)));
    });
  }
  return Object.defineProperties(promised, Object.getOwnPropertyDescriptors(call));
}
promisify.custom = CUSTOM_PROMISIFY;

function callbackify(original: unknown): AnyFunction {
  const call = assertFunction(original, 'original') as (...args: unknown[]) => Promise<unknown>;
  return function callbackified(this: unknown, ...args: unknown[]): void {
    const callback = assertFunction(args.pop(), 'last argument');
    call.apply(this, args).then(
      (value) => callback(null, value),
      (error: unknown) => callback(error),
    );
  };
}

function inherits(child: AnyFunction, parent: AnyFunction): void {
  Object.defineProperty(child, 'super_', { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(child.prototype as object, parent.prototype as object);
}

function deprecate(call: AnyFunction, message: string, code?: string): AnyFunction {
  let warned = false;
  return function deprecated(this: unknown, ...args: unknown[]): unknown {
    if (!warned) console.warn(`DeprecationWarning: ${code ? `[${code}] ` : ''}${message}`);
    warned = true;
    return call.apply(this, args);
  };
}

/** The sections of NODE_DEBUG, which a reactor has none of. */
const createDebugLog = () => Object.assign(() => {}, { enabled: false });

const hasTag = (tag: string) => (value: unknown) =>
  Object.prototype.toString.call(value) === `[object ${tag}]`;

const TYPED_ARRAYS = [
  'BigInt64Array',
  'BigUint64Array',
  'Float32Array',
  'Float64Array',
  'Int8Array',
  'Int16Array',
  'Int32Array',
  'Uint16Array',
  'Uint32Array',
  'Uint8ClampedArray',
];
const BOXED = ['BigInt', 'Boolean', 'Number', 'String', 'Symbol'];

const isBoxed = (name: string) => (value: unknown) =>
  typeof value === 'object' && value !== null && hasTag(name)(value);

const types = {
  ...Object.fromEntries(TYPED_ARRAYS.map((name) => [`is${name}`, hasTag(name)])),
  ...Object.fromEntries(BOXED.map((name) => [`is${name}Object`, isBoxed(name)])),
  isArgumentsObject: hasTag('Arguments'),
  isArrayBuffer: hasTag('ArrayBuffer'),
  isAnyArrayBuffer: (value: unknown) => value instanceof ArrayBuffer || hasTag('SharedArrayBuffer')(value),
  isArrayBufferView: (value: unknown) => ArrayBuffer.isView(value),
  isAsyncFunction: hasTag('AsyncFunction'),
  isBoxedPrimitive: (value: unknown) => BOXED.some((name) => isBoxed(name)(value)),
  isDataView: (value: unknown) => value instanceof DataView,
  isDate: hasTag('Date'),
  isExternal: () => false,
  isGeneratorFunction: hasTag('GeneratorFunction'),
  isGeneratorObject: hasTag('Generator'),
  isMap: (value: unknown) => value instanceof Map,
  isMapIterator: hasTag('Map Iterator'),
  isModuleNamespaceObject: hasTag('Module'),
  isNativeError: (value: unknown) => value instanceof Error,
  isPromise: (value: unknown) => value instanceof Promise,
  isProxy: () => false,
  isRegExp: hasTag('RegExp'),
  isSet: (value: unknown) => value instanceof Set,
  isSetIterator: hasTag('Set Iterator'),
  isSharedArrayBuffer: hasTag('SharedArrayBuffer'),
  isTypedArray: (value: unknown) => ArrayBuffer.isView(value) && !(value instanceof DataView),
  isUint8Array: (value: unknown) => value instanceof Uint8Array,
  isWeakMap: (value: unknown) => value instanceof WeakMap,
  isWeakSet: (value: unknown) => value instanceof WeakSet,
};

/** The deprecated tests of types, which older packages still use. */
const legacyTests = {
  isArray: Array.isArray,
  isBoolean: (value: unknown) => typeof value === 'boolean',
  isBuffer: (value: unknown) => Buffer.isBuffer(value),
  isDate: types.isDate,
  isError: (value: unknown) => value instanceof Error || hasTag('Error')(value),
  isFunction: (value: unknown) => typeof value === 'function',
  isNull: (value: unknown) => value === null,
  isNullOrUndefined: (value: unknown) => value === null || value === undefined,
  isNumber: (value: unknown) => typeof value === 'number',
  isObject: (value: unknown) => value !== null && typeof value === 'object',
  isPrimitive: (value: unknown) =>
    value === null || (typeof value !== 'object' && typeof value !== 'function'),
  isRegExp: types.isRegExp,
  isString: (value: unknown) => typeof value === 'string',
  isSymbol: (value: unknown) => typeof value === 'symbol',
  isUndefined: (value: unknown) => value === undefined,
};

/** `require('util')`. */
export const utilModule = {
  ...legacyTests,
  TextDecoder,
  TextEncoder,
  _extend: (target: object, source: unknown) => Object.assign(target, source),
  callbackify,
  debug: createDebugLog,
  debuglog: createDebugLog,
  deprecate,
  format,
  formatWithOptions,
  inherits,
  inspect,
  isDeepStrictEqual: (a: unknown, b: unknown): boolean => dequal(a, b),
  promisify,
  stripVTControlCharacters: (text: string) => text.replaceAll(ANSI, ''),
  toUSVString: (text: unknown) => String(text).replace(/\p{Surrogate}/gu, '\ufffd'),
  types,
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]/g;
