import { isObject, type Json } from '../../../src/contract/json.js';
import { LIMITS } from '../../../src/contract/limits.js';
import type { Proxy as ProxyObject } from '../../../src/contract/schemas/index.js';
import { assertStructure, type RequestBudget, renderText } from '../../expressions/index.js';
import type { ProxyRecord } from '../../store/records.js';
import { checkPermission } from '../authorize.js';
import { checkBody } from '../json-body.js';
import type { Direction } from '../proxy-record.js';
import { runtimeProblem } from '../reactors/failure.js';
import { reactorCall } from '../reactors/svc.js';
import { rethrowAsProblem } from '../tokenize/detokenize.js';
import {
  asReactor,
  checkedHeader,
  type Message,
  parseBody,
  runCodeOf,
  runOver,
  type Transformation,
} from './transform.js';

type OrderedTransform = NonNullable<ProxyObject['request_transforms']>[number];
type Type = NonNullable<OrderedTransform['type']>;
type Options = NonNullable<OrderedTransform['options']>;

/** The transforms of one request through a proxy. Each reads what earlier ones have made, in both directions. */
interface RequestTransformation extends Omit<Transformation, 'endsAt'> {
  /** The tokens that were created, by the identifier of their transform. */
  tokens: Record<string, Json>;
  budget: RequestBudget;
}

type OrderedTransformation = RequestTransformation & Transformation;

type Apply = <M extends Message>(
  message: M,
  transform: OrderedTransform,
  direction: Direction,
  run: OrderedTransformation,
) => Promise<M>;

/** Runs the transforms of a proxy over a request or response, in their order. @throws ProblemError */
export async function transformMessage<M extends Message>(
  message: M,
  direction: Direction,
  shared: RequestTransformation,
): Promise<M> {
  const run = { ...shared, endsAt: performance.now() + LIMITS.syncTimeoutMs };
  let transformed = message;
  for (const transform of transformsOf(run.proxy, direction))
    transformed = await APPLY[transform.type ?? 'code'](transformed, transform, direction, run);
  return transformed;
}

const transformsOf = (proxy: ProxyRecord, direction: Direction): OrderedTransform[] => {
  const single = proxy[`${direction}_transform`];
  return [...(single ? [single] : []), ...(proxy[`${direction}_transforms`] ?? [])];
};

/** Runs in the sandbox, since the time of a regular expression has no bound. */
const MASK = `module.exports = ({ args, configuration: { expression, replacement } }) => ({
  body: args.body.replace(new RegExp(expression, 'g'), replacement),
});`;
const CARD_NUMBER = '\\b\\d{13,19}\\b';

const APPLY: Readonly<Record<Type, Apply>> = {
  code(message, { code = '', options: { runtime } = {} }, direction, run) {
    const { configuration } = run.proxy;
    return runOver(message, direction, { code, configuration, ...(runtime && { runtime }) }, run);
  },

  async mask(message, { matcher, expression = '', replacement = '' }, direction, run) {
    const configuration = { expression: matcher === 'regex' ? expression : CARD_NUMBER, replacement };
    const args = { body: message.body.toString() };
    const { body } = await runCodeOf(direction, { code: MASK, configuration }, args, run);
    return { ...message, body: Buffer.from(String(body)) };
  },

  async tokenize(message, { options = {} }, direction, run) {
    const filled = await fillToken(options, message, direction, run);
    const token = await createToken(filled, direction, run);
    if (options.identifier !== undefined) run.tokens[options.identifier] = token;
    return message;
  },

  async append_json(message, { options = {} }, direction, run) {
    const value = (await evaluate(options.value ?? '', message, direction, run)) ?? null;
    const before = readBody(message);
    if (!isObject(before)) throw runtimeProblem('append_json needs a body that is a JSON object.');
    const names = (options.location ?? '').split('.').slice(1);
    return { ...message, body: Buffer.from(JSON.stringify(setAt(before, names, value))) };
  },

  async append_text(message, { options = {} }, direction, run) {
    const value = renderText(await evaluate(options.value ?? '', message, direction, run));
    return { ...message, body: Buffer.concat([message.body, Buffer.from(value)]) };
  },

  async append_header(message, { options = {} }, direction, run) {
    const value = renderText(await evaluate(options.value ?? '', message, direction, run));
    const header = checkedHeader(options.location ?? '', value);
    return { ...message, headers: [...message.headers, header] };
  },
};

/** Names the variables of expressions: the body in a direction, and the tokens of earlier transforms. */
const scopeOf = (direction: Direction, body: Json, tokens: Record<string, Json>) => ({
  [direction === 'request' ? 'req' : 'res']: body,
  transform_identifier: tokens,
});

async function evaluate(
  value: Json,
  message: Message,
  direction: Direction,
  { tokens, budget }: OrderedTransformation,
): Promise<Json | undefined> {
  if (typeof value === 'string' && !value.includes('{{')) return value;
  const scope = scopeOf(direction, readBody(message), tokens);
  return rethrowAsProblem(() => budget.evaluate(value, scope, `${direction}_transforms`));
}

/** Reads a body, all of which every transform that reads it writes again. @throws ProblemError 500 for one that is too large */
function readBody({ body }: Message): Json {
  if (body.length > LIMITS.bodyBytes)
    throw runtimeProblem(`The body that a transform reads must be at most ${LIMITS.bodyBytes} bytes.`);
  return parseBody(body);
}

/** The properties of a token that are filled in. Expressions of the others read its own data. */
const FILLED = ['data', 'encrypted', 'metadata', 'token_intent_id'] as const;

const filledPart = ({ token = {} }: Options): Record<string, Json> =>
  Object.fromEntries(FILLED.flatMap((name) => (name in token ? [[name, token[name] as Json]] : [])));

async function fillToken(
  options: Options,
  message: Message,
  direction: Direction,
  run: OrderedTransformation,
) {
  const filled = await evaluate(filledPart(options), message, direction, run);
  const rest = Object.entries(options.token ?? {}).filter(([name]) => !FILLED.some((one) => one === name));
  return { ...Object.fromEntries(rest), ...(filled as Record<string, Json>) } as Json;
}

/** Creates a token with the permissions of the proxy's application, or those of the caller if it has none. */
async function createToken(
  token: Json,
  direction: Direction,
  { proxy, call, context }: OrderedTransformation,
): Promise<Json> {
  const reactor = asReactor(proxy, direction, { code: '', configuration: {} });
  const own = reactorCall({ reactor, call }, context);
  checkPermission('tokens.create', own);
  checkBody(token);
  const { body } = await context.execute('tokens.create', { body: token }, own);
  return body as Json;
}

/** Returns an object with a value at a path, whose objects are created where there are none. */
function setAt(target: Json | undefined, [name = '', ...rest]: string[], value: Json): Json {
  const before = isObject(target) ? target : {};
  return { ...before, [name]: rest.length === 0 ? value : setAt(before[name], rest, value) };
}

/** Checks what the schema cannot: the expressions of transforms. @throws ProblemError 400 with the path of each that is not valid */
export async function checkTransforms(body: Partial<ProxyRecord>): Promise<void> {
  for (const direction of ['request', 'response'] as const)
    for (const [index, { options = {} }] of (body[`${direction}_transforms`] ?? []).entries()) {
      const { value } = options;
      const parts = { ...(value !== undefined && { value }), token: filledPart(options) };
      const path = `${direction}_transforms.${index}.options`;
      await rethrowAsProblem(() => assertStructure(parts, scopeOf(direction, null, {}), path));
    }
}
