import { Crypto, CryptoKey } from '@peculiar/webcrypto';

const METHODS = [
  ...(['decrypt', 'deriveBits', 'deriveKey', 'digest', 'encrypt', 'exportKey'] as const),
  ...(['generateKey', 'importKey', 'sign', 'unwrapKey', 'verify', 'wrapKey'] as const),
];

type Method = (typeof METHODS)[number];

/** Messages of the package for a key that must not be used so. */
const ACCESS = /does not match that of operation|not extractable/;

/** Names an error as the Web Crypto API does. Those of the package have no names. */
function toNamedError(error: Error, method: Method): Error {
  if (error instanceof DOMException || error instanceof TypeError || error instanceof RangeError)
    return error;
  if (error.message === 'Unrecognized name') return new DOMException(error.message, 'NotSupportedError');
  if (ACCESS.test(error.message)) return new DOMException(error.message, 'InvalidAccessError');
  return new DOMException(error.message, method === 'importKey' ? 'DataError' : 'OperationError');
}

const packaged = new Crypto().subtle;

const withNamedErrors = (method: Method) => [
  method,
  (...args: unknown[]) =>
    (Reflect.apply(packaged[method], packaged, args) as Promise<unknown>).catch((error: Error) => {
      throw toNamedError(error, method);
    }),
];

/** `crypto.subtle`, by a package over `crypto`. It computes at once, in the thread of the reactor. */
export const subtle = Object.fromEntries(METHODS.map(withNamedErrors)) as object;
export { CryptoKey };
