import fc from 'fast-check';

/** Containers that cover each other, and some that only begin alike. */
export const container = fc
  .array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 3 })
  .map((segments) => `/${segments.map((segment) => `${segment}/`).join('')}`);

export const permission = fc.constantFrom('token:read' as const, 'token:use' as const);

/** An access rule over these. */
export const rule = fc.record({
  priority: fc.nat(3),
  container,
  transform: fc.constantFrom('redact' as const, 'mask' as const, 'reveal' as const),
  permissions: fc.uniqueArray(permission, { minLength: 1 }),
});
