/** A placeholder: `<name>`, `<pattern>`, `<pattern: name to store it under>` or `<x * 201>`. */
const PLACEHOLDER = /<([a-z][a-z0-9 _-]*)(?:: ([a-z][a-z0-9 _-]*)| \* (\d+))?>/g;

/** The patterns of values that the service chooses. */
const PATTERNS: Record<string, string> = {
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  time: '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:Z|[+-]\\d{2}:\\d{2})',
  fingerprint: '[1-9A-HJ-NP-Za-km-z]{32,44}',
  text: '[^]+',
  seconds: '[1-9]\\d*',
};

/** Values by name: keys of the seeded applications, ids stored from earlier responses. */
export type Values = Map<string, string>;

/** Replaces the placeholders of a request. */
export function filled(text: string, values: Values): string {
  return text.replace(PLACEHOLDER, (whole, name: string, _keep, times?: string) => {
    if (times !== undefined) return name.repeat(Number(times));
    return known(name, values, whole);
  });
}

/** Compares a text with the expected one, and stores the values of named placeholders. */
export function matches(expected: string, actual: string, values: Values): boolean {
  const kept: string[] = [];
  let pattern = '';
  let end = 0;
  for (const match of expected.matchAll(PLACEHOLDER)) {
    const [whole, name = '', keep] = match;
    pattern += escaped(expected.slice(end, match.index));
    end = match.index + whole.length;
    const own = values.has(name) ? undefined : PATTERNS[name];
    pattern += own === undefined ? escaped(known(name, values, whole)) : `(${own})`;
    if (own !== undefined) kept.push(keep ?? '');
  }
  const found = new RegExp(`^${pattern}${escaped(expected.slice(end))}$`).exec(actual);
  for (const [index, name] of kept.entries()) if (found && name) values.set(name, found[index + 1] ?? '');
  return found !== null;
}

/** Replaces each string of the expected JSON that matches by the actual one, so that a deep comparison shows the rest. */
export function resolved(expected: unknown, actual: unknown, values: Values): unknown {
  if (typeof expected === 'string') {
    return typeof actual === 'string' && matches(expected, actual, values) ? actual : expected;
  }
  if (Array.isArray(expected)) {
    return expected.map((item, index) =>
      resolved(item, Array.isArray(actual) ? actual[index] : undefined, values),
    );
  }
  if (typeof expected !== 'object' || expected === null) return expected;
  return Object.fromEntries(
    Object.entries(expected).map(([key, item]) => {
      const name = filled(key, values);
      return [name, resolved(item, (actual as Record<string, unknown> | undefined)?.[name], values)];
    }),
  );
}

function known(name: string, values: Values, whole: string): string {
  const value = values.get(name);
  if (value === undefined) throw new Error(`${whole} was not kept from an earlier answer.`);
  return value;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
