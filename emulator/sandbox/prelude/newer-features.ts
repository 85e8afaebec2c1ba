const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const iterator = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object;

/** Features that the engine has and Node.js 16 lacks, by their owner. `structuredClone` is left: the contract has it. */
const NEWER: readonly (readonly [owner: object, names: string])[] = [
  [globalThis, 'AsyncDisposableStack DisposableStack Float16Array Iterator SuppressedError'],
  [Array, 'fromAsync'],
  [Array.prototype, 'findLast findLastIndex toReversed toSorted toSpliced with'],
  [
    ArrayBuffer.prototype,
    'detached immutable maxByteLength resizable resize sliceToImmutable transfer transferToFixedLength transferToImmutable',
  ],
  [DataView.prototype, 'getFloat16 setFloat16'],
  [Error, 'isError'],
  [iterator, 'drop every filter find flatMap forEach map reduce some take toArray'],
  [JSON, 'isRawJSON rawJSON'],
  [Map, 'groupBy'],
  [Map.prototype, 'getOrInsert getOrInsertComputed'],
  [Math, 'f16round sumPrecise'],
  [Object, 'groupBy'],
  [Promise, 'try withResolvers'],
  [RegExp, 'escape'],
  [Set.prototype, 'difference intersection isDisjointFrom isSubsetOf isSupersetOf symmetricDifference union'],
  [String.prototype, 'isWellFormed toWellFormed'],
  [Symbol, 'asyncDispose dispose'],
  [typedArray, 'findLast findLastIndex toReversed toSorted with'],
  [Uint8Array, 'fromBase64 fromHex'],
  [Uint8Array.prototype, 'setFromBase64 setFromHex toBase64 toHex'],
  [WeakMap.prototype, 'getOrInsert getOrInsertComputed'],
];

// Before any package is evaluated: what code that works here would miss in the service.
for (const [owner, names] of NEWER) for (const name of names.split(' ')) Reflect.deleteProperty(owner, name);
