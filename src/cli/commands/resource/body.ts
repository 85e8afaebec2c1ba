import { isObject } from '../../../contract/json.js';
import type { Resource, ResourceField } from '../../../contract/resources.js';
import type { Context } from '../../command.js';
import { optionOf } from '../../flags/field-flags.js';
import { toKebabCase } from '../../flags/flag.js';
import { usageError } from '../../lib/errors.js';
import { resolveId } from '../../lib/lookup.js';
import { expandEvents } from '../shared/flag-values.js';
import { parsePairs, readJson, readText } from '../shared/input.js';

export type Body = Record<string, unknown>;

export type ResourceOptions = Readonly<Record<string, string | string[] | number | boolean | undefined>>;

/** Returns the flag of a field as it is typed: `--destination-url`. A map has a second one for its entries. */
export function flagText(name: string, field: ResourceField): string {
  const flag = `--${toKebabCase(optionOf(name, field))}`;
  return field.entryFlag ? `--${field.entryFlag.name} or ${flag}` : flag;
}

/** Reads a map from the flag for the whole and the one for its entries. In an update, `null` removes a name. */
async function readMap(
  whole: string | undefined,
  entries: string[] | undefined,
  { flag, entryFlag }: { flag: string; entryFlag: string },
  context: Context,
): Promise<Body | undefined> {
  if (!entries && whole === undefined) return undefined;
  const map = whole === undefined ? {} : await readJson(whole, flag, context);
  if (!isObject(map)) throw usageError(`${flag} must be a JSON object of strings.`);
  return { ...map, ...parsePairs(entries ?? [], `--${entryFlag}`) };
}

async function readRules(text: string, flag: string, context: Context): Promise<unknown[]> {
  const rules = await readJson(text, flag, context);
  if (!Array.isArray(rules)) throw usageError(`${flag} must be a JSON array.`);
  return rules;
}

/** The name of a file would be stored as code: `charge.js` parses. */
function readCode(text: string, flag: string, context: Context): Promise<string> {
  if (/^[\w./\\-]+\.[cm]?[jt]s$/.test(text))
    throw usageError(`${flag} takes code, and ${text} is the name of a file.`, `Write: ${flag} @${text}`);
  return readText(text, flag, context);
}

async function readField(
  name: string,
  field: ResourceField,
  options: ResourceOptions,
  context: Context,
): Promise<unknown> {
  const { kind, entryFlag } = field;
  const option = optionOf(name, field);
  const given = options[option];
  const flag = `--${toKebabCase(option)}`;
  if (kind === 'map' && entryFlag) {
    const entries = options[entryFlag.name] as string[] | undefined;
    return readMap(given as string | undefined, entries, { flag, entryFlag: entryFlag.name }, context);
  }
  if (given === undefined || kind === 'boolean') return given;
  if (given === false) return null;
  if (kind === 'names') return expandNames(name, given as string[]);
  const text = String(given);
  if (kind === 'code') return readCode(text, flag, context);
  if (kind === 'transform') return { code: await readCode(text, flag, context) };
  if (kind === 'rules') return readRules(text, flag, context);
  if (kind === 'json') return readJson(text, flag, context);
  if (kind === 'application') return { id: await resolveId(context.client, 'application', text) };
  return text;
}

const expandNames = (name: string, lists: readonly string[]): string[] =>
  name === 'events' ? expandEvents(lists) : lists.flatMap((list) => list.split(','));

export async function readBody(
  { fields }: Resource,
  options: ResourceOptions,
  context: Context,
): Promise<Body> {
  const body: Body = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = await readField(name, field, options, context);
    if (value !== undefined) body[name] = value;
  }
  return body;
}

export function codesOf({ fields }: Resource, body: Body): Record<string, string> {
  const codes: Record<string, string> = {};
  for (const [name, { kind }] of Object.entries(fields)) {
    const value = body[name];
    const code = kind === 'transform' && isObject(value) ? value.code : value;
    if ((kind === 'code' || kind === 'transform') && typeof code === 'string') codes[name] = code;
  }
  return codes;
}
