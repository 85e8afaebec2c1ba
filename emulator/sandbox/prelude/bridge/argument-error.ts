/** Creates the error that Node.js throws for an invalid argument. */
export const createArgumentError = (message: string, code = 'ERR_INVALID_ARG_TYPE'): TypeError =>
  Object.assign(new TypeError(message), { code });

/** Describes a value as Node.js does in the message of such an error. */
export function describeReceived(value: unknown): string {
  if (value === null || value === undefined) return `Received ${value}`;
  if (typeof value === 'function') return `Received function ${value.name}`;
  if (typeof value === 'object') return `Received an instance of ${value.constructor?.name ?? 'Object'}`;
  const text = typeof value === 'string' ? `'${value.slice(0, 25)}'` : String(value);
  return `Received type ${typeof value} (${text})`;
}
