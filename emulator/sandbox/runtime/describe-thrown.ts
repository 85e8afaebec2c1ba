const readProperty = (value: object, key: string): unknown => {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
};

const cloneJson = (value: unknown, replace?: (key: string, value: unknown) => unknown): unknown => {
  try {
    return value === undefined ? undefined : JSON.parse(JSON.stringify(value, replace));
  } catch {
    return undefined;
  }
};

/** Shows an error within `errors`, such as those of an `AggregateError`, by its message: as JSON it is empty. */
const errorMessage = (_key: string, value: unknown): unknown =>
  value instanceof Error ? readProperty(value, 'message') : value;

/** Limit for texts that cross the boundary. The host truncates them further. */
const MAX_TEXT_LENGTH = 16_384;

const truncateText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH) : undefined;

export function safeToString(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'Error';
  }
}

/** Causes of causes that are followed. */
const MAX_CAUSES = 5;

/** Returns the message of the innermost cause; its code if it has no message, as the error of several refused connections. */
function readCause(thrown: object): string | undefined {
  let innermost = thrown;
  for (let depth = 0; depth < MAX_CAUSES; depth++) {
    const cause = readProperty(innermost, 'cause');
    if (typeof cause !== 'object' || cause === null) break;
    innermost = cause;
  }
  if (innermost === thrown) return undefined;
  return truncateText(readProperty(innermost, 'message')) || truncateText(readProperty(innermost, 'code'));
}

/** Describes a thrown value as plain data. Never throws, even if a getter does. `parseThrownError` validates the result. */
export function describeThrown(thrown: unknown): Record<string, unknown> {
  if (typeof thrown !== 'object' || thrown === null)
    return { name: 'Error', message: safeToString(thrown), stack: '' };
  const status = cloneJson(readProperty(thrown, 'status'));
  // An object that says what failed by its status or errors needs no message; its text is [object Object].
  const fallback = () => (status === undefined ? safeToString(thrown) : '');
  return {
    name: truncateText(readProperty(thrown, 'name')) ?? 'Error',
    message: truncateText(readProperty(thrown, 'message')) ?? fallback(),
    cause: readCause(thrown),
    stack: truncateText(readProperty(thrown, 'stack')) ?? '',
    status,
    errors: cloneJson(readProperty(thrown, 'errors'), errorMessage),
    headers: cloneJson(readProperty(thrown, 'headers')),
    body: cloneJson(readProperty(thrown, 'body')),
  };
}

/** Captured before reactor code runs, which may replace it. */
const { stringify } = JSON;

/** Returns how a call ended that returned a value, and the value as JSON; `parseGuestResult` reads both. */
export function describeValue(value: unknown): [kind: 'nothing' | 'value' | 'not-json', json?: string] {
  if (value === undefined) return ['nothing'];
  try {
    const json = stringify(value) as string | undefined;
    return json === undefined ? ['not-json', stringify({ message: `a ${typeof value}` })] : ['value', json];
  } catch (error) {
    return ['not-json', stringify(describeThrown(error))];
  }
}
