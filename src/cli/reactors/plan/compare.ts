import { createHash } from 'node:crypto';
import { stringify } from 'safe-stable-stringify';
import type { Reactor } from '../../../contract/schemas/index.js';

/** What a deployment decides of a reactor: everything that the service stores of it but ids and times. */
export interface ReactorContent {
  name: string;
  code: string;
  configuration: Record<string, string>;
  /** Its application's id; null: none. */
  application: string | null;
}

/** One difference; of configuration the name alone, never a value. */
export interface Change {
  /** `code`, `configuration.CURRENCY`, `application`. */
  field: string;
  change: 'added' | 'changed' | 'removed';
}

export function contentOf(reactor: Reactor): ReactorContent {
  const { name, code, configuration, application } = reactor;
  return { name, code, configuration, application: application?.id ?? null };
}

/** A digest of a reactor's content; the same whatever the order of its properties. Hex. */
export function contentHash(content: ReactorContent): string {
  return createHash('sha256').update(stringify(content)).digest('hex');
}

function changeOf(before: unknown, after: unknown): Change['change'] | undefined {
  if (before === after) return undefined;
  if (before === undefined || before === null) return 'added';
  return after === undefined || after === null ? 'removed' : 'changed';
}

/** What would change; everything is added where nothing is. */
export function changesBetween(before: ReactorContent | undefined, after: ReactorContent): Change[] {
  const pairs: [string, unknown, unknown][] = [
    ['code', before?.code, after.code],
    ['application', before?.application ?? null, after.application],
  ];
  const names = new Set([...Object.keys(before?.configuration ?? {}), ...Object.keys(after.configuration)]);
  for (const name of [...names].sort())
    pairs.push([`configuration.${name}`, own(before?.configuration, name), own(after.configuration, name)]);
  return pairs.flatMap(([field, one, other]) => {
    const change = changeOf(one, other);
    return change ? [{ field, change }] : [];
  });
}

const own = (map: Record<string, string> | undefined, name: string): string | undefined =>
  map && Object.hasOwn(map, name) ? map[name] : undefined;
