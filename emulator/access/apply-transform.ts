import type { Transform } from '../../src/contract/permissions.js';

/**
 * Applies a transform to the data of a token.
 * @returns undefined when the data must be left out: for `redact`, and for `mask` on a token without a mask
 */
export function applyTransform(
  token: { data: unknown; mask?: unknown },
  transform: Transform,
  maskData: (mask: unknown, data: unknown) => unknown,
): unknown {
  if (transform === 'reveal') return token.data;
  if (transform === 'redact' || token.mask === undefined) return undefined;
  return maskData(token.mask, token.data);
}
