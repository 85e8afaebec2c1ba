export type ReactorFunction = (request: object, context: object) => unknown;

/** Returns the function that a module exports, directly or as its default export. */
export function findReactorFunction(exported: unknown): ReactorFunction | undefined {
  const inner = (exported as { default?: unknown } | null | undefined)?.default;
  const found = typeof exported === 'function' ? exported : inner;
  return typeof found === 'function' ? (found as ReactorFunction) : undefined;
}
