/**
 * Features of the language that newer engines have and Node.js 16 lacks, by the expression of their owner. `structuredClone` is left:
 * the contract has it.
 */
export const NEWER_FEATURES: Readonly<Record<string, string>> = {
  globalThis: 'AsyncDisposableStack DisposableStack Float16Array Iterator SuppressedError',
  Array: 'fromAsync',
  'Array.prototype': 'findLast findLastIndex toReversed toSorted toSpliced with',
  'ArrayBuffer.prototype':
    'detached immutable maxByteLength resizable resize sliceToImmutable transfer transferToFixedLength transferToImmutable',
  'DataView.prototype': 'getFloat16 setFloat16',
  Error: 'isError',
  'Iterator.prototype': 'drop every filter find flatMap forEach map reduce some take toArray',
  JSON: 'isRawJSON rawJSON',
  Map: 'groupBy',
  'Map.prototype': 'getOrInsert getOrInsertComputed',
  Math: 'f16round sumPrecise',
  Object: 'groupBy',
  Promise: 'try withResolvers',
  RegExp: 'escape',
  'Set.prototype': 'difference intersection isDisjointFrom isSubsetOf isSupersetOf symmetricDifference union',
  'String.prototype': 'isWellFormed toWellFormed',
  Symbol: 'asyncDispose dispose',
  'TypedArray.prototype': 'findLast findLastIndex toReversed toSorted with',
  Uint8Array: 'fromBase64 fromHex',
  'Uint8Array.prototype': 'setFromBase64 setFromHex toBase64 toHex',
  'WeakMap.prototype': 'getOrInsert getOrInsertComputed',
};
