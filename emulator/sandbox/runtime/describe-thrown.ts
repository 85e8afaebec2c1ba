const readProperty = (value: object, key: string): unknown => {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
};

const cloneJson = (value: unknown): unknown => {
  try {
    return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
};

/** More is not shown to anybody; no use in carrying it over. */
const MAX_TEXT = 16_384;

const truncateText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, MAX_TEXT) : undefined;

export function safeToString(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'Error';
  }
}

/** A thrown value as plain data, whatever it is and whatever its getters do. `thrown-error.ts` checks it. */
export function describeThrown(thrown: unknown): Record<string, unknown> {
  if (typeof thrown !== 'object' || thrown === null) {
    return { name: 'Error', message: safeToString(thrown), stack: '' };
  }
  return {
    name: truncateText(readProperty(thrown, 'name')) ?? 'Error',
    message: truncateText(readProperty(thrown, 'message')) ?? safeToString(thrown),
    stack: truncateText(readProperty(thrown, 'stack')) ?? '',
    status: cloneJson(readProperty(thrown, 'status')),
    errors: cloneJson(readProperty(thrown, 'errors')),
    headers: cloneJson(readProperty(thrown, 'headers')),
    body: cloneJson(readProperty(thrown, 'body')),
  };
}
