import { EVENT_TYPES } from '../contract/event-types.js';
import { jsonOf } from '../contract/json.js';
import { findNearest } from '../contract/nearest.js';
import { PERMISSIONS } from '../contract/permissions.js';
import {
  NO_FLAG,
  PROBLEMS,
  UNKNOWN_EVENT_TYPE,
  UNKNOWN_PERMISSION,
  UNKNOWN_TOKEN,
} from '../contract/problems.js';
import type { CommandRow } from './command.js';
import { toCamelCase, toKebabCase } from './flags/flag.js';
import type { GlobalOptions } from './flags/globals.js';
import { type Failure, helpFor, suggest } from './lib/errors.js';
import { shellQuote } from './lib/text.js';
import { CHECK_KEY } from './lib/to-failure.js';
import { valueAt } from './output/fields.js';

export interface FailedCommand {
  row: Pick<CommandRow, 'flags' | 'arguments' | 'name'> & Partial<Pick<CommandRow, 'examples'>>;
  options: Readonly<Record<string, unknown>>;
  /** What prompts call the service that was used, if there was one. */
  service?: string | undefined;
}

interface Given {
  flag: string;
  value: string | undefined;
}

/** Finds the flag of a field of a request: `query.type`, `permissions.0`, `mask`. */
function findGiven(path: string, { row, options }: FailedCommand): Given | undefined {
  const { flags = {} } = row;
  const [field = '', index] = path.replace(/^query\./, '').split('.');
  const named = toCamelCase(field);
  // A flag that is repeated has the name in the singular.
  const name = [named, named.replace(/(?<=x)es$|s$/, ''), named.replace(/At$/, '')].find(
    (one) => one in flags,
  );
  const [argument] = row.name.startsWith('emulator ') ? Object.keys(row.arguments ?? {}) : [];
  if (name === undefined && argument)
    return { flag: `<${toKebabCase(argument)}>`, value: wordOf(options[argument]) };
  if (name === undefined || (index !== undefined && !flags[name]?.list)) return undefined;
  const given = options[name];
  const value: unknown = Array.isArray(given) ? given[Number(index ?? 0)] : given;
  return { flag: `--${toKebabCase(name)}`, value: wordOf(value) };
}

const wordOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** The accepted values that a message lists or refers to: `must be one of token, card`, `Known: number, cvc`. */
function acceptedValues(message: string): readonly string[] {
  if (message === UNKNOWN_PERMISSION) return Object.keys(PERMISSIONS);
  if (message === UNKNOWN_EVENT_TYPE) return EVENT_TYPES;
  const list = /(?:must be one of|the fields are|Known:) ([^(;]+)/.exec(message)?.[1];
  return list?.trim().split(/, | and /) ?? [];
}

/** What holds no data, even if something is in the wrong place: long numbers are refused before they are sent. */
const REPEATED = /^(--(permission|size|container|status|rate|expires|transform)|<(duration|time|origin)>)$/;

/** Names flags instead of properties of the API. Repeats other values only if they are nearly accepted ones, so that they are no token data. */
function explainField(path: string, given: string, command: FailedCommand): [string, string] {
  // All that is typed is a string.
  const message = given === NO_FLAG ? 'must be true or false' : helpFor(given);
  if (path === 'query') return [path, explainQuery(message, command)];
  if (path.startsWith('args.')) return [path, explainArgument(path, message, command)];
  const named = path.replace(/^settings\./, '');
  const { flag, value } = findGiven(path, command) ?? { flag: named, value: undefined };
  const isUnknown =
    value === undefined && message.startsWith('is not a known property') && !message.includes('Did you mean');
  const wanted = isUnknown ? path.split('.').at(-1) : value;
  const nearest = wanted === undefined ? undefined : findNearest(wanted, acceptedValues(given));
  const isRepeated = value !== undefined && (nearest !== undefined || REPEATED.test(flag));
  return [
    isRepeated ? `${flag} ${value}` : flag,
    nearest === undefined ? message : suggest(message, nearest),
  ];
}

/** Names an unknown field of a query if it is a word, and no token data. */
function explainQuery(message: string, { options: { query } }: FailedCommand): string {
  const position = /\(position (\d+)\)$/.exec(message)?.[1];
  const rest = String(query).slice(Number(position ?? 1) - 1);
  const field = /^[a-z_]+(?:\.[\w-]+)?(?=:)/i.exec(rest)?.[0];
  if (field === undefined || !message.startsWith('has an unknown field; ')) return message;
  const nearest = findNearest(field.replace(/\..*/, '.<key>'), acceptedValues(message));
  return message
    .replace('has an unknown field; ', `unknown field ${field}; `)
    .replace('the fields', nearest === undefined ? 'the fields' : `did you mean ${nearest}? The fields`);
}

/** Names a token that an argument of a reactor refers to. A number that may be that of a card is not repeated. */
function explainArgument(path: string, message: string, { options }: FailedCommand): string {
  if (message !== UNKNOWN_TOKEN) return message;
  const pairs = [options.arg ?? []].flat().map((pair) => String(pair).split(/=(.*)/s).slice(0, 2));
  const args = { ...(jsonOf(String(options.args)) as object | undefined), ...Object.fromEntries(pairs) };
  const [, id] = /^\{\{\s*([^\s|}]+)/.exec(String(valueAt({ args }, path))) ?? [];
  return id === undefined || /\d{9}/.test(id) ? message : `there is no token ${JSON.stringify(id)}`;
}

/** The one value of the first argument of a command; undefined if there are several or none. */
function soleArgument({ row, options }: FailedCommand): string | undefined {
  const [name = ''] = Object.keys(row.arguments ?? {});
  const value = [options[name]].flat();
  return value.length === 1 && typeof value[0] === 'string' ? value[0] : undefined;
}

const NOT_FOUND = /^There is no (.+) with this (?:id|name)\.$/i;
/** The sentence of a lookup by name, and a suggestion behind it. */
const NOT_NAMED = /^There is no [a-z ]+ (?:named )?".*?"(?=\.)/;
const TAKEN = /^A (.+) with this id already exists\.$/;
/** What lists the objects that a sentence says are missing. */
const LISTS: readonly [sentence: RegExp, command: string][] = [
  [/^No recent request /, 'emulator requests'],
  [/^No recent event /, 'event list'],
  [/ has no webhook |^No webhook of /, 'webhook list'],
  [/ has no key /, 'application key list'],
];

/** Repeats what was looked for or created, and names the command that lists or changes it. */
function explainObject(failure: Failure, command: FailedCommand): Failure {
  const noun = command.row.name.split(' ').slice(0, -1).join(' ');
  const inService = command.service === undefined ? '' : ` on ${command.service}`;
  const reword = (detail: string, hint: string): Failure => ({
    ...failure,
    detail,
    hint: failure.hint ?? hint,
  });
  const missing = NOT_FOUND.exec(failure.detail)?.[1];
  const wanted = noun === '' ? undefined : soleArgument(command);
  if (missing !== undefined && wanted !== undefined)
    return reword(
      `There is no ${missing} ${JSON.stringify(wanted)}${inService}.`,
      noun === 'token-intent'
        ? 'It may have expired, or have become a token.'
        : `List them all: tokenctl ${noun} list`,
    );
  const taken = TAKEN.exec(failure.detail)?.[1];
  const { id } = command.options;
  if (taken !== undefined && typeof id === 'string')
    return reword(
      `The ${taken} ${JSON.stringify(id)} already exists.`,
      `Change it: tokenctl ${noun} update ${shellQuote(id)}`,
    );
  if (failure.category === 'not_found' && failure.status === undefined)
    return { ...failure, detail: failure.detail.replace(NOT_NAMED, (named) => named + inService) };
  const list = LISTS.find(([sentence]) => sentence.test(failure.detail))?.[1];
  if (list !== undefined) return reword(failure.detail, `List them: tokenctl ${list}`);
  return wanted === undefined ? failure : explainReaction(failure, wanted, command);
}

/** Names the reactor that failed, and the command that shows why. `reactor.js` is the service's name of its code. */
function explainReaction(failure: Failure, wanted: string, { row, options }: FailedCommand): Failure {
  const isDeployed = row.flags?.trace !== undefined;
  if (!isDeployed && row.name !== 'reactor run') return failure;
  const subject = isDeployed ? `Reactor ${wanted}` : wanted;
  const named = failure.detail
    .replace(/^The reactor (?=answered|cannot run)/, () => `${subject} `)
    .replace(/^(?=\w*Error: )/, () => (isDeployed ? `${subject} threw ` : ''))
    .replace(/\breactor\.js:(\d+):(\d+)\)$/, 'line $1, column $2 of the deployed code)');
  const { error: _, ...fields } = failure.errors ?? {};
  // The errors of the fields follow.
  const repeated = Object.values(fields)
    .flat()
    .find((message) => named.endsWith(`: ${message}`));
  const detail = repeated === undefined ? named : named.slice(0, -repeated.length - 1);
  if (detail.includes(' must return an object with '))
    return { ...failure, detail, hint: "For example: return { raw: { status: 'accepted' } };" };
  const isReaction = failure.title === PROBLEMS.reactorRuntime.title || detail !== failure.detail;
  if (!isDeployed || options.trace || !isReaction) return { ...failure, detail };
  const args = options.arg || options.args ? ' …' : '';
  const hint = `See what it did: tokenctl reactor react ${shellQuote(wanted)}${args} --trace`;
  return { ...failure, detail, hint: failure.hint ?? hint };
}

function exampleFor(detail: string, { row: { examples = {} } }: FailedCommand): string | undefined {
  const missing = /^(--[\w-]+).* (?:is|are) missing\.$/.exec(detail)?.[1];
  const example = Object.values(examples).find((one) => missing !== undefined && one.includes(missing));
  return example && `Example: ${example}`;
}

/** Words a failure for the person who typed the command. Programs read the names of the API. */
export function explainForPerson(failure: Failure, command: FailedCommand): Failure {
  const { errors = {} } = failure;
  const explained: Record<string, string[]> = {};
  for (const [path, messages] of Object.entries(errors))
    for (const message of messages) {
      const [name, text] = explainField(path, message, command);
      explained[name] = [...(explained[name] ?? []), text];
    }
  const [general, advice] = failure.detail.split(/(?<=\bsee errors\.) /);
  const hint = advice ?? failure.hint ?? exampleFor(failure.detail, command);
  const advised = { ...failure, ...(advice !== undefined && { detail: general ?? '' }), hint };
  return { ...explainObject(advised, command), ...(failure.errors && { errors: explained }) };
}

const formatFlags = (flags: Record<string, string | undefined>): string =>
  Object.entries(flags)
    .map(([flag, value]) => (value === undefined ? '' : ` ${flag} ${shellQuote(value)}`))
    .join('');

/** Names the command that checks a refused key. The environment, where keys are easily forgotten, is named as its origin. */
export function explainRefusedKey(
  failure: Failure,
  variables: readonly string[],
  { baseUrl, profile, environment, keyFile }: GlobalOptions,
): Failure {
  const { status, hint, detail } = failure;
  // Other commands are to use the same service and key.
  const service = formatFlags({ '--base-url': baseUrl, '--profile': profile, '--environment': environment });
  const key = service + formatFlags({ '--key-file': keyFile });
  if (status === 401 && variables.length > 0) {
    const [is, it] = variables.length === 1 ? ['is', 'it'] : ['are', 'them'];
    const names = variables.join(' and ');
    return {
      ...failure,
      hint: `${names} ${is} set in the environment and used instead of stored keys. Check ${it}: tokenctl auth status${key}`,
    };
  }
  if (status === 401 && hint === CHECK_KEY) return { ...failure, hint: CHECK_KEY + key };
  // A hint says that the response may be that of a proxy.
  if (status !== 403 || hint !== undefined) return failure;
  const permission = /\bpermission ([a-z]+:[a-z]+)\b/.exec(detail)?.[1];
  const others =
    permission === undefined ? '' : `; who may: tokenctl application who-can ${permission}${service}`;
  return { ...failure, hint: `What the key may do: tokenctl auth status${key}${others}` };
}
