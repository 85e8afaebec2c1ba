const property = (value: object, key: string): unknown => {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
};

const json = (value: unknown): unknown => {
  try {
    return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
};

/** More is not shown to anybody; no use in carrying it over. */
const MAX_TEXT = 16_384;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, MAX_TEXT) : undefined;

export function asText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'Error';
  }
}

/** A thrown value as plain data, whatever it is and whatever its getters do. `thrown-error.ts` checks it. */
export function describeThrown(thrown: unknown): Record<string, unknown> {
  if (typeof thrown !== 'object' || thrown === null) {
    return { name: 'Error', message: asText(thrown), stack: '' };
  }
  return {
    name: text(property(thrown, 'name')) ?? 'Error',
    message: text(property(thrown, 'message')) ?? asText(thrown),
    stack: text(property(thrown, 'stack')) ?? '',
    status: json(property(thrown, 'status')),
    errors: json(property(thrown, 'errors')),
    headers: json(property(thrown, 'headers')),
    body: json(property(thrown, 'body')),
  };
}
