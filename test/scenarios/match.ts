const VALUES: Record<string, string> = {
  uuid: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  time: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:\\d\\d)',
  number: '\\d+(?:\\.\\d+)?',
  '*': '.*',
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns the pattern of an expected line: `<uuid>` and the like match a value, `<id=uuid>` also stores it. */
function pattern(line: string): RegExp {
  const source = line
    .split(/(<(?:\w+=)?(?:uuid|time|number|\*)>)/)
    .map((part, index) => {
      if (index % 2 === 0) return escaped(part);
      const [, name, kind = ''] = /^<(?:(\w+)=)?(.+)>$/.exec(part) ?? [];
      return name ? `(?<${name}>${VALUES[kind]})` : VALUES[kind];
    })
    .join('');
  return new RegExp(`^${source}$`);
}

/**
 * Compares lines with the expected ones, where `...` matches any number of lines.
 * @returns the stored values, or undefined if the lines differ
 */
export function matchLines(
  actual: readonly string[],
  expected: readonly string[],
): Record<string, string> | undefined {
  const [first, ...rest] = expected;
  if (first === undefined) return actual.length === 0 ? {} : undefined;
  if (first === '...') {
    for (let skipped = 0; skipped <= actual.length; skipped++) {
      const kept = matchLines(actual.slice(skipped), rest);
      if (kept) return kept;
    }
    return undefined;
  }
  const found = actual.length > 0 ? pattern(first).exec(actual[0] ?? '') : null;
  if (!found) return undefined;
  const kept = matchLines(actual.slice(1), rest);
  return kept && { ...found.groups, ...kept };
}
