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

const hasTag = (tag: string) => (value: unknown) =>
  Object.prototype.toString.call(value) === `[object ${tag}]`;

const types = {
  isArrayBuffer: hasTag('ArrayBuffer'),
  isAnyArrayBuffer: (value: unknown) => value instanceof ArrayBuffer || hasTag('SharedArrayBuffer')(value),
  isArrayBufferView: (value: unknown) => ArrayBuffer.isView(value),
  isAsyncFunction: hasTag('AsyncFunction'),
  isDataView: (value: unknown) => value instanceof DataView,
  isDate: hasTag('Date'),
  isGeneratorFunction: hasTag('GeneratorFunction'),
  isMap: (value: unknown) => value instanceof Map,
  isNativeError: (value: unknown) => value instanceof Error,
  isPromise: (value: unknown) => value instanceof Promise,
  isRegExp: hasTag('RegExp'),
  isSet: (value: unknown) => value instanceof Set,
  isTypedArray: (value: unknown) => ArrayBuffer.isView(value) && !(value instanceof DataView),
  isUint8Array: (value: unknown) => value instanceof Uint8Array,
  isWeakMap: (value: unknown) => value instanceof WeakMap,
  isWeakSet: (value: unknown) => value instanceof WeakSet,
};

/** `require('util')`. */
export const utilModule = {
  TextDecoder,
  TextEncoder,
  callbackify,
  debuglog: () => () => {},
  deprecate,
  format,
  formatWithOptions,
  inherits,
  inspect,
  isArray: Array.isArray,
  isDeepStrictEqual: (a: unknown, b: unknown): boolean => dequal(a, b),
  promisify,
  stripVTControlCharacters: (text: string) => text.replaceAll(ANSI, ''),
  types,
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]/g;
