import type { ReactorContent } from './content.js';

/** A difference between two contents. A configuration value is named but never included. */
export interface Change {
  /** `code`, `configuration.CURRENCY`, `application`. */
  field: string;
  change: 'added' | 'changed' | 'removed';
}

function compareValues(before: unknown, after: unknown): Change['change'] | undefined {
  if (before === after) return undefined;
  if (before === undefined || before === null) return 'added';
  return after === undefined || after === null ? 'removed' : 'changed';
}

const ownValue = (map: Record<string, string> | undefined, name: string): string | undefined =>
  map && Object.hasOwn(map, name) ? map[name] : undefined;

/** Lists the differences from `before` to `after`. Without a `before` everything is added. */
export function compareContent(before: ReactorContent | undefined, after: ReactorContent): Change[] {
  const pairs: [string, unknown, unknown][] = [
    ['code', before?.code, after.code],
    ['application', before?.application ?? null, after.application],
  ];
  const names = new Set([...Object.keys(before?.configuration ?? {}), ...Object.keys(after.configuration)]);
  for (const name of [...names].sort())
    pairs.push([
      `configuration.${name}`,
      ownValue(before?.configuration, name),
      ownValue(after.configuration, name),
    ]);
  return pairs.flatMap(([field, one, other]) => {
    const change = compareValues(one, other);
    return change ? [{ field, change }] : [];
  });
}
