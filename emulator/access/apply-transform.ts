import type { Transform } from '../../src/contract/permissions.js';

/**
 * The data of a token as a transform shows it; undefined when it is left out: under `redact`, and under `mask` when the
 * token has no mask.
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
