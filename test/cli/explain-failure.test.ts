import { expect, test } from 'vitest';
import { explainForPerson } from '../../src/cli/explain-failure.js';
import { toFailure } from '../../src/cli/lib/to-failure.js';
import { failureText } from '../../src/cli/output/failure.js';
import { loadStyle } from '../../src/cli/output/style.js';
import { buildPath } from '../../src/contract/operation-row.js';
import { UNKNOWN_EVENT_TYPE, UNKNOWN_PERMISSION, UNKNOWN_TOKEN } from '../../src/contract/problems.js';

const style = await loadStyle(false);
const flag = { description: '', value: 'TEXT' };
const row = {
  name: 'token create',
  arguments: {},
  flags: { type: flag, size: flag, mask: flag, data: flag, permission: { ...flag, list: true as const } },
};
const invalid = {
  category: 'invalid' as const,
  title: 'Bad Request',
  detail: 'The request is not valid; see errors.',
};

function explain(errors: Record<string, string[]>, options: Record<string, unknown>): string {
  return failureText(explainForPerson({ ...invalid, errors }, { row, options }), style);
}

test.each([
  [
    'a query parameter',
    { 'query.type': ['must be one of token, card, bank'] },
    { type: 'crad' },
    'error: --type crad: must be one of token, card, bank. Did you mean card?',
  ],
  [
    'a number',
    { 'query.size': ['must be at most 100'] },
    { size: 1000 },
    'error: --size 1000: must be at most 100',
  ],
  [
    'a type of event',
    { 'events.0': [UNKNOWN_EVENT_TYPE] },
    {},
    'error: events.0: is not a type of event; list them: tokenctl webhook event-types',
  ],
  [
    'an item of a repeated flag',
    { 'permissions.1': [UNKNOWN_PERMISSION] },
    { permission: ['token:use', 'token:raed'] },
    'error: --permission token:raed: is not a permission. Did you mean token:read?',
  ],
  [
    'a value that is not known',
    { 'data.numbr': ['is not a known property. Known: number, cvc'] },
    {},
    'error: data.numbr: is not a known property. Did you mean number? Known: number, cvc',
  ],
  [
    'a value that is not known and has a suggestion',
    { reactor: ['is not a known property. Did you mean reactors? Known: tenant, reactors'] },
    {},
    'error: reactor: is not a known property. Did you mean reactors? Known: tenant, reactors',
  ],
  [
    'an unknown field of a query',
    { query: ['has an unknown field; the fields are id, type and metadata.<key> (position 10)'] },
    { query: 'id:a AND metdata.b:c' },
    'error: query: unknown field metdata.b; did you mean metadata.<key>? The fields are id, type and metadata.<key> (position 10)',
  ],
  [
    'what may be token data in a query',
    { query: ['has an unknown field; the fields are id and type (position 1)'] },
    { query: '4242:1' },
    'error: query: has an unknown field; the fields are id and type (position 1)',
  ],
  [
    'an argument of a reactor',
    { 'args.card.of': [UNKNOWN_TOKEN] },
    { args: '{"card":{"of":"{{ nope | json: 1 }}"}}' },
    'error: args.card.of: there is no token "nope"',
  ],
  [
    'an argument that may be a card number',
    { 'args.card': [UNKNOWN_TOKEN] },
    { arg: ['card={{ 4242424242424242 }}'] },
    `error: args.card: ${UNKNOWN_TOKEN}`,
  ],
  ['one', { mask: ['not a valid expression'] }, { mask: '{{' }, 'error: --mask: not a valid expression'],
  [
    'a property without a flag',
    { 'data.number': ['is required'], containers: ['is wrong'] },
    {},
    'error: data.number: is required\n  containers: is wrong',
  ],
])('errors name the flag of %s, without a general sentence before them', (_, errors, options, text) => {
  expect(explain(errors, options)).toBe(text);
});

test('a value that is not nearly an accepted one may be token data, and is not repeated', () => {
  const text = explain({ type: ['must be one of token, card'] }, { type: '4242424242424242' });
  expect(text).toBe('error: --type: must be one of token, card');
});

test('an object that was not found or exists already is named, with the command to go on with', () => {
  const missing = {
    category: 'not_found' as const,
    title: 'Not Found',
    detail: 'There is no token with this id.',
  };
  const get = { name: 'token get', arguments: { id: { description: '', variadic: true as const } } };
  expect(failureText(explainForPerson(missing, { row: get, options: { id: ['nope'] } }), style)).toBe(
    'error: There is no token "nope".\nhint: List them all: tokenctl token list',
  );
  // Which of several it was is not known.
  expect(explainForPerson(missing, { row: get, options: { id: ['a', 'b'] } })).toEqual(missing);
  const taken = { category: 'failed' as const, title: '', detail: 'A token with this id already exists.' };
  expect(failureText(explainForPerson(taken, { row, options: { id: 'a 1' } }), style)).toBe(
    `error: The token "a 1" already exists.\nhint: Change it: tokenctl token update 'a 1'`,
  );
});

test('an ID that cannot be encoded is wrong usage, and not blamed on a shell variable', () => {
  const hintOf = (id: string) => {
    try {
      return buildPath('/tokens/{id}', { id });
    } catch (error) {
      const { category, hint } = toFailure(error);
      return { category, hint };
    }
  };
  expect(hintOf('')).toEqual({ category: 'usage', hint: 'Is a shell variable unset?' });
  expect(hintOf('a\ud800')).toEqual({ category: 'usage', hint: undefined });
});

test.each([
  [
    'threw',
    'TypeError: x (reactor.js:2:5)',
    'Reactor pay threw TypeError: x (line 2, column 5 of the deployed code)',
  ],
  [
    'answered',
    'The reactor answered with an error: too few',
    'Reactor pay answered with an error:\n  amount: too few',
  ],
  ['ran out of time', 'Time limit of 10 s exceeded.', 'Time limit of 10 s exceeded.'],
])('a reactor that %s has the command that shows why', (_, detail, text) => {
  const failed = { category: 'failed' as const, title: 'Reactor Runtime Error', detail };
  const errors = detail.endsWith('too few') ? { errors: { amount: ['too few'] } } : {};
  const react = { name: 'reactor react', arguments: { reactor: flag }, flags: { trace: flag } };
  const command = { row: react, options: { reactor: 'pay', arg: ['amount=0'] } };
  expect(failureText(explainForPerson({ ...failed, ...errors }, command), style)).toBe(
    `error: ${text}\nhint: See what it did: tokenctl reactor react pay … --trace`,
  );
});
