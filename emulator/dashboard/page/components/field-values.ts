import type { FieldKind, ResourceField } from '../../../../src/contract/resources.js';
import { formatJson } from '../format.js';

/** What the field of a form holds: that of a resource, or what else forms have. */
export type FormKind = FieldKind | 'lines' | 'number' | 'password' | 'search';

/** A value and its name; a text is both. */
export type Option = string | readonly [value: string, name: string];

/** A field of a form: what it holds, and what its label, hint and input are. */
export interface FormField extends Partial<Omit<ResourceField, 'kind' | 'suggest'>> {
  kind: FormKind;
  /** Its name by default. */
  label?: string;
  hint?: string;
  placeholder?: string;
  mono?: boolean;
  options?: readonly Option[];
}

export type FormFields = Readonly<Record<string, FormField>>;

export type Inputs = Readonly<Record<string, string | boolean | readonly string[]>>;

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const labelOf = (name: string, { label }: { label?: string } = {}): string =>
  label ?? capitalize(name.replaceAll('_', ' '));

/** How a value is shown as text, and read from it. */
interface Codec {
  show(value: never): string;
  /** @throws Error that names the field and shows what is accepted */
  read(text: string, label: string): unknown;
}

const json: Codec = { show: formatJson, read: (text, label) => parseJson(label, text) };

const CODECS: { readonly [K in FormKind]?: Codec } = {
  json,
  rules: json,
  map: {
    show: (values: Readonly<Record<string, string>>) =>
      Object.entries(values)
        .map((pair) => pair.join('='))
        .join('\n'),
    read: (text, label) => parsePairs(label, text),
  },
  lines: { show: (lines: readonly string[]) => lines.join('\n'), read: linesOf },
  transform: { show: ({ code }: { code: string }) => code, read: (code) => ({ code }) },
  application: { show: ({ id }: { id: string }) => id, read: (id) => ({ id }) },
  number: { show: String, read: Number },
};

export const inputsOf = (fields: FormFields, values: Readonly<Record<string, unknown>>): Inputs =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { kind, default: usual }]): [string, Inputs[string]] => {
      const value = values[name] ?? usual;
      if (kind === 'boolean') return [name, value === true];
      if (kind === 'names') return [name, (value ?? []) as readonly string[]];
      return [name, value === undefined ? '' : (CODECS[kind]?.show ?? String)(value as never)];
    }),
  );

/** Returns what was typed as the body of a request. Empty fields are left out. @throws Error that names the field */
export const bodyOf = (fields: FormFields, inputs: Inputs): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = toValue(field, labelOf(name, field), inputs[name] ?? '');
      return value === undefined ? [] : [[name, value]];
    }),
  );

function toValue({ kind, default: usual = false }: FormField, label: string, input: Inputs[string]): unknown {
  if (kind === 'boolean') return input === usual ? undefined : input;
  if (typeof input !== 'string') return input;
  if (input.trim() === '') return kind === 'map' ? {} : undefined;
  const codec = CODECS[kind];
  return codec ? codec.read(input, label) : input;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter(Boolean);
}

/** Parses `name=value` lines. @throws Error that shows what is accepted */
const parsePairs = (label: string, text: string): Record<string, string> =>
  Object.fromEntries(
    linesOf(text).map((line, index) => {
      const separator = line.indexOf('=');
      if (separator < 1) throw new Error(`${label}, line ${index + 1}: must be name=value.`);
      return [line.slice(0, separator).trim(), line.slice(separator + 1).trim()];
    }),
  );

/** Parses what was typed into an editor. @throws Error that names the field, without the text, which may be token data */
export function parseJson(label: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const found = /at position (\d+)(?: \(line (\d+) column (\d+)\))?/.exec((error as Error).message);
    const [, offset, line, column] = found ?? [];
    const place = line === undefined ? ` at character ${offset}` : ` at line ${line}, column ${column}`;
    throw new Error(`${label} is not valid JSON${found ? place : ''}. Texts need double quotes: "hello".`);
  }
}

/** Returns the merge patch (RFC 7386) from one value to another, at the top level and in maps. */
export function patchOf(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  maps: readonly string[],
): Record<string, unknown> {
  const names = Object.keys({ ...before, ...after });
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(
    changed.map((name) => {
      const [from, to] = [before[name], after[name]] as Record<string, unknown>[];
      return [name, maps.includes(name) ? patchOf(from ?? {}, to ?? {}, []) : (after[name] ?? null)];
    }),
  );
}
