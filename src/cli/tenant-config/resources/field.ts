import { createHash } from 'node:crypto';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { stringify } from 'safe-stable-stringify';
import type { FieldKind } from '../../../contract/resources.js';
import type { AccessRule } from '../../../contract/schemas/index.js';
import { toReadableCode } from '../../reactors/build/readable-code.js';
import { type Content, fieldsOf, type Kind } from './content.js';

/** One value of an object, as plans compare and show it. */
export interface Field {
  /** `code`, `configuration.CURRENCY`, `permissions.token:read`. */
  name: string;
  value: unknown;
  /** `secret`: the value is never shown. `code`: differences are shown as a diff. `presence`: it has no value to show. */
  show?: 'secret' | 'code' | 'presence';
}

type Show = Pick<Field, 'show'>;

const mapFields = (name: string, map: Readonly<Record<string, string>>, show: Show): Field[] =>
  Object.entries(map)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => ({ name: `${name}.${key}`, value, ...show }));

const namesFields = (name: string, values: readonly string[]): Field[] =>
  [...values].sort().map((value) => ({ name: `${name}.${value}`, value: true, show: 'presence' }));

/** Rules have no names: one is identified by what it applies to, and by its position among equal ones. */
function accessRuleFields(rules: readonly AccessRule[]): Field[] {
  const counts = new Map<string, number>();
  const fields: Field[] = rules.map(({ priority, container, description, transform, permissions }) => {
    const key = `${priority} ${container}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return {
      name: `rules[${key}${count > 1 ? ` ${count}` : ''}]`,
      value: { transform, permissions: [...permissions].sort(), ...(description && { description }) },
    };
  });
  // Of rules with the same priority, the order decides.
  const priorities = new Set(rules.map(({ priority }) => priority));
  if (priorities.size === rules.length) return fields;
  const order = [...rules].sort((one, other) => one.priority - other.priority);
  return [...fields, { name: 'rules.order', value: order.map(({ container }) => container) }];
}

/** How fields are compared that have several values, each of which is listed for itself, after the others. */
const SEVERAL: Partial<Record<FieldKind, (name: string, value: never, show: Show) => Field[]>> = {
  names: (name, value: readonly string[]) => namesFields(name, value),
  rules: (_name, value: readonly AccessRule[]) => accessRuleFields(value),
  map: (name, value: Readonly<Record<string, string>>, show) => mapFields(name, value, show),
};

export function listFields(kind: Kind, content: Content): Field[] {
  const values: Readonly<Record<string, unknown>> = { ...content };
  const single: Field[] = [];
  const several: Field[] = [];
  for (const [name, field] of fieldsOf(kind)) {
    const value = values[name];
    const split = SEVERAL[field.kind];
    const isCode = field.kind === 'code' || field.kind === 'transform';
    const show: Show = field.secret ? { show: 'secret' } : isCode ? { show: 'code' } : {};
    if (!split) single.push({ name, value, ...show });
    else if (value) several.push(...split(name, value as never, show));
  }
  return [...single, ...several];
}

/** A difference between two versions of an object. Secrets have no values here. */
export interface Change {
  field: string;
  change: 'added' | 'changed' | 'removed';
  before?: unknown;
  after?: unknown;
}

const SIGNS: Record<Change['change'], string> = { added: '+', changed: '~', removed: '-' };

const isSet = (field: Field | undefined): field is Field => field?.value != null;

const isSame = (one: Field, other: Field): boolean => stringify(one.value) === stringify(other.value);

function compareField(before: Field | undefined, after: Field | undefined): Change | undefined {
  const field = (after ?? before)?.name ?? '';
  const shown = (before ?? after)?.show === undefined;
  if (!isSet(before) && !isSet(after)) return undefined;
  if (!isSet(before)) return { field, change: 'added', ...(shown && { after: after?.value }) };
  if (!isSet(after)) return { field, change: 'removed', ...(shown && { before: before.value }) };
  if (isSame(before, after)) return undefined;
  return { field, change: 'changed', ...(shown && { before: before.value, after: after.value }) };
}

/** Lists the differences from `before` to `after`. Without a `before`, everything is added. */
export function compareFields(before: readonly Field[] = [], after: readonly Field[] = []): Change[] {
  const [old, now] = [before, after].map((fields) => new Map(fields.map((field) => [field.name, field])));
  const names = new Set([...after, ...before].map(({ name }) => name));
  return [...names].flatMap((name) => compareField(old?.get(name), now?.get(name)) ?? []);
}

/** Compares what the project wrote; the packages and helpers of a bundle are left out. */
function formatCodeDiff(name: string, before: string, after: string): string {
  const [old, now] = [toReadableCode(before), toReadableCode(after)];
  if (old === now) return '~ code: changed in what the bundler adds';
  const patch = createTwoFilesPatch(
    before === '' ? '/dev/null' : `a/${name}`,
    `b/${name}`,
    old,
    now,
    undefined,
    undefined,
    { context: 3, headerOptions: FILE_HEADERS_ONLY },
  );
  // Not trimmed: an empty line at the end is a line of the text.
  return patch.endsWith('\n') ? patch.slice(0, -1) : patch;
}

/** Names code in the header of a diff. Only proxies have more than one text. */
const codeTitle = (name: string, { field }: Change): string => (field === 'code' ? name : `${name}/${field}`);

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function formatChange({ field, change, ...values }: Change, { show }: Show): string {
  const start = `${SIGNS[change]} ${field}`;
  if (show === 'presence') return start;
  if (show === 'secret') return `${start}: ${change} (value not shown)`;
  if (change === 'changed') return `${start}: ${formatValue(values.before)} → ${formatValue(values.after)}`;
  return `${start}: ${formatValue(change === 'added' ? values.after : values.before)}`;
}

/** Formats changes: a unified diff of each text, and one line for everything else. Secrets are named but not shown. */
export function formatChanges(
  name: string,
  changes: readonly Change[],
  before: readonly Field[] = [],
  after: readonly Field[] = [],
): string {
  const find = (fields: readonly Field[], field: string) => fields.find((one) => one.name === field);
  const texts: string[] = [];
  const lines: string[] = [];
  for (const change of changes) {
    const [old, now] = [find(before, change.field), find(after, change.field)];
    const field: Show = now ?? old ?? {};
    if (field.show === 'code')
      texts.push(formatCodeDiff(codeTitle(name, change), String(old?.value ?? ''), String(now?.value ?? '')));
    else lines.push(formatChange(change, field));
  }
  return [...texts, ...lines].join('\n');
}

/** Returns the SHA-256 of an object's fields in hexadecimal. Of secrets, only the names are included. */
export function hashFields(fields: readonly Field[]): string {
  const hashed = fields
    .filter(isSet)
    .map(({ name, value, show }) => (show === 'secret' ? [name] : [name, value]));
  return createHash('sha256')
    .update(stringify(hashed.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))))
    .digest('hex');
}
