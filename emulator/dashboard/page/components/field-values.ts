import type { FieldKind, ResourceField } from '../../../../src/contract/resources.js';
import { formatJson } from '../format.js';
import { parseJson } from './form.js';

/** What the field of a form holds: that of a resource, or what tokens and faults have. */
export type FormKind = FieldKind | 'json' | 'words' | 'lines' | 'number';

/** A field of an editor: what it holds, and what its label, hint and input are. */
export interface EditorField extends Partial<Omit<ResourceField, 'kind'>> {
  kind: FormKind;
  /** Its name by default. */
  label?: string;
  hint?: string;
  rows?: number;
  placeholder?: string;
}

export type EditorFields = Readonly<Record<string, EditorField>>;

/** What is typed into the fields of a form, by name. */
export type Inputs = Readonly<Record<string, string | boolean | readonly string[]>>;

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const labelOf = (name: string, { label }: { label?: string } = {}): string =>
  label ?? capitalize(name.replaceAll('_', ' '));

/** Returns what a form begins with. */
export const inputsOf = (fields: EditorFields, values: Readonly<Record<string, unknown>>): Inputs =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, toInput(field, values[name] ?? field.default)]),
  );

function toInput({ kind }: EditorField, value: unknown): Inputs[string] {
  if (kind === 'boolean') return value === true;
  if (kind === 'names') return (value ?? []) as readonly string[];
  if (value === undefined || value === null) return '';
  switch (kind) {
    case 'map':
      return Object.entries(value)
        .map(([name, one]) => `${name}=${one}`)
        .join('\n');
    case 'json':
    case 'rules':
      return formatJson(value);
    case 'words':
      return (value as readonly string[]).join(' ');
    case 'lines':
      return (value as readonly string[]).join('\n');
    case 'transform':
      return (value as { code: string }).code;
    case 'application':
      return (value as { id: string }).id;
    default:
      return String(value);
  }
}

/** Returns what was typed as the body of a request. Empty fields are left out. @throws Error that names the field */
export const bodyOf = (fields: EditorFields, inputs: Inputs): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = toValue(field, labelOf(name, field), inputs[name] ?? '');
      return value === undefined ? [] : [[name, value]];
    }),
  );

function toValue(
  { kind, default: usual = false }: EditorField,
  label: string,
  input: Inputs[string],
): unknown {
  if (kind === 'boolean') return input === usual ? undefined : input;
  if (typeof input !== 'string') return input;
  if (kind === 'map') return parsePairs(label, input);
  if (input.trim() === '') return undefined;
  switch (kind) {
    case 'json':
    case 'rules':
      return parseJson(label, input);
    case 'words':
      return input.split(/[\s,]+/).filter(Boolean);
    case 'lines':
      return linesOf(input);
    case 'transform':
      return { code: input };
    case 'application':
      return { id: input };
    case 'number':
      return Number(input);
    default:
      return input;
  }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Parses `name=value` lines. @throws Error that shows what is accepted */
function parsePairs(name: string, text: string): Record<string, string> {
  return Object.fromEntries(
    linesOf(text).map((line, index) => {
      const separator = line.indexOf('=');
      if (separator < 1) throw new Error(`${name}, line ${index + 1}: must be name=value.`);
      return [line.slice(0, separator).trim(), line.slice(separator + 1).trim()];
    }),
  );
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
