import { parseDuration } from '../../../contract/durations.js';
import { INSPECTOR_ADDRESS, INSPECTOR_FLAG } from '../../../contract/emulator-options.js';
import { EVENT_TYPES, type EventType, REPORTED_TYPES } from '../../../contract/event-types.js';
import { didYouMean, findNearest } from '../../../contract/nearest.js';
import { PERMISSION_NAMES, type Permission } from '../../../contract/permissions.js';
import { providedModule, REACTOR_MODULES } from '../../../contract/reactor-runtime.js';
import { type CliError, usageError } from '../../lib/errors.js';
import { isWord } from '../../lib/text.js';

export function oneOf<Value extends string>(
  known: readonly Value[],
  value: string | undefined,
  flag: string,
): Value | undefined {
  if (value === undefined) return undefined;
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  throw unknownValueError(flag, value, known);
}

/** More values than these are not listed if one of them was nearly given. */
const FEW_VALUES = 12;

/** Repeats a value only if it is a word, or nearly a known one: another may be something secret that was put into the wrong place. */
export function unknownValueError(flag: string, value: string, known: readonly string[]): CliError {
  const nearest = findNearest(value, known);
  const accepted = `must be one of ${known.join(', ')}.`;
  if (nearest === undefined) return usageError(`${flag}${isWord(value) ? ` ${value}` : ''} ${accepted}`);
  const problem = known.length > FEW_VALUES ? 'is not known.' : accepted;
  return usageError(`${flag} ${value} ${problem} Did you mean ${nearest}?`);
}

export function parsePermissions(names: readonly string[]): Permission[] {
  const isPermission = (name: string): name is Permission => PERMISSION_NAMES.some((known) => known === name);
  const unknown = names.filter((name) => !isPermission(name));
  if (unknown.length === 0) return names.filter(isPermission);
  throw usageError(
    `Unknown permission${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}.${didYouMean(unknown[0] ?? '', PERMISSION_NAMES)}`,
    'List them all: tokenctl permission list',
  );
}

type Present<Values> = { [Name in keyof Values]: Exclude<Values[Name], undefined> };

/** Names all flags that are missing. @param values by flag, as the user writes it: `{ '--name': name }` */
export function requireFlags<Values extends Readonly<Record<string, unknown>>>(
  values: Values,
  hint?: string,
): Present<Values> {
  const missing = Object.keys(values).filter((flag) => values[flag] === undefined);
  if (missing.length > 0)
    throw usageError(`${joinWords(missing)} ${missing.length === 1 ? 'is' : 'are'} missing.`, hint);
  return values as Present<Values>;
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

export function parseModuleAliases(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(given.map(parseModuleAlias));
}

function parseModuleAlias(given: string): [name: string, module: string] {
  const [, name = '', module = ''] = /^([^=\s]+)=(.*)$/.exec(given) ?? [];
  if (providedModule(module) !== undefined && providedModule(name) === undefined && name)
    return [name, module];
  throw usageError(
    `--module-alias must be NAME=MODULE with a new name and one of ${REACTOR_MODULES.join(', ')}, not ${JSON.stringify(given)}.`,
  );
}

const INSPECTOR_DEFAULTS = { host: '127.0.0.1', port: 9_229 };
const MAX_PORT = 65_535;

/** Converts `--inspect [HOST:PORT]`. @throws {CliError} if it is not an address of this machine */
export function parseInspectorAddress(given: string | true, flag: string): { host: string; port: number } {
  // An empty value stands for none (command-line.ts).
  if (given === true || given === '') return INSPECTOR_DEFAULTS;
  const [, host = INSPECTOR_DEFAULTS.host, port] = INSPECTOR_ADDRESS.exec(given) ?? [];
  if (port === undefined || Number(port) > MAX_PORT)
    throw usageError(`${flag} ${INSPECTOR_FLAG.rule}, not ${given}.`);
  return { host: host.replace(/[[\]]/g, ''), port: Number(port) };
}

/** Expands `token.*` and `*` to the types of events that they stand for. @throws {CliError} when there are none */
export function expandEvents(patterns: readonly string[]): EventType[] {
  const types = patterns.flatMap((list) => list.split(',')).flatMap((pattern) => matching(pattern.trim()));
  return [...new Set(types)];
}

/** A wildcard stands for what changes bring about: a service may refuse types of endpoints that it does not have. */
function matching(pattern: string): EventType[] {
  const found = pattern.endsWith('*')
    ? REPORTED_TYPES.filter((type) => type.startsWith(pattern.slice(0, -1)))
    : EVENT_TYPES.filter((type) => type === pattern);
  if (found.length > 0) return found;
  throw unknownValueError('--event', pattern, EVENT_TYPES);
}

/** Converts a duration to the time when it has passed. Anything else is a time, which the service validates. */
export function toExpiry(text: string): string {
  const ms = parseDuration(text);
  return ms === undefined || ms <= 0 ? text : new Date(Date.now() + ms).toISOString();
}
