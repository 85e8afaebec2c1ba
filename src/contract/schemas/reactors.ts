import * as z from 'zod';
import { LIMITS } from '../limits.js';
import { permissionsOfType } from '../permissions.js';
import {
  activation,
  applicationReference,
  callbackUrl,
  empty,
  modified,
  name,
  namedQuery,
  object,
  oneOf,
  page,
  stringMap,
  stringMapPatch,
  uuid,
} from './common.js';

const code = z.string().min(1).max(LIMITS.reactorCodeCharacters);

/** Extension. An image is `node-bt`, the specified contract, or a version of Node.js with the newer one. */
export const runtime = z
  .looseObject({
    image: z
      .string()
      .regex(/^node(-bt|\d\d)$/, 'must be node-bt, or node and a version: node22')
      .optional(),
    permissions: z.array(oneOf(permissionsOfType('private'))).optional(),
  })
  .meta({
    id: 'Runtime',
    description:
      'How code runs: `image` names its contract, `permissions` are those of its `svc` without an application. Other properties are kept.',
  });

/** Spec, Reactor object. */
const reactor = object('Reactor', 'Code that the service runs on token data.', {
  id: uuid,
  tenant_id: uuid,
  name,
  code: z.string(),
  configuration: stringMap,
  application: applicationReference.optional(),
  runtime: runtime.optional(),
  ...activation,
  ...modified,
});

const createReactor = object(
  'CreateReactorRequest',
  'A reactor to create, or to put in the place of another.',
  {
    name,
    code,
    configuration: stringMap,
    application: applicationReference.nullish(),
    runtime: runtime.nullish(),
  },
);

const updateReactor = createReactor.partial().extend({ configuration: stringMapPatch.optional() }).meta({
  id: 'UpdateReactorRequest',
  description: 'What to change in a reactor, as a merge patch (RFC 7386).',
});

/** Spec, Reactor response object. */
const reactorResponse = object('ReactorResponse', 'What the code of a reactor returned.', {
  tokens: z.unknown().optional(),
  raw: z.unknown().optional(),
});

const { minimum, maximum } = LIMITS.asyncTimeoutMs;

const argsObject = z.record(z.string(), z.unknown());

/** An object, or one expression that evaluates to an object; decided, Expressions. */
const args = z
  .union([argsObject, z.string()], 'must be an object, or an expression that gives one')
  .nullish();
/** Arrays too. */
const lenientArgs = z
  .union([argsObject, z.string(), z.array(z.unknown())], 'must be an object or array, or an expression')
  .nullish();
const timeout = z.int(`must be an integer from ${minimum} to ${maximum}`).min(minimum).max(maximum).nullish();

const react = object('ReactRequest', 'An invocation of a reactor.', {
  args,
  callback_url: callbackUrl.nullish(),
  timeout_ms: timeout,
});

const reactAsync = object('ReactAsyncRequest', 'An invocation of a reactor whose result is kept.', {
  args,
  timeout_ms: timeout,
});

const asyncReactorRequest = object('AsyncReactorRequest', 'An asynchronous invocation, by its id.', {
  asyncReactorRequestId: uuid,
});

export const reactorSchemas = {
  'reactors.create': { body: createReactor, responses: { 201: reactor } },
  'reactors.list': { query: namedQuery('reactors'), responses: { 200: page(reactor) } },
  'reactors.get': { responses: { 200: reactor } },
  'reactors.replace': { body: createReactor, responses: { 200: reactor } },
  'reactors.update': { body: updateReactor, responses: { 204: empty } },
  'reactors.delete': { responses: { 204: empty } },
  'reactors.react': {
    body: react,
    lenientBody: react.extend({ args: lenientArgs }),
    responses: { 200: reactorResponse, 202: empty },
  },
  'reactors.reactAsync': {
    body: reactAsync,
    lenientBody: reactAsync.extend({ args: lenientArgs }),
    responses: { 202: asyncReactorRequest },
  },
  'reactors.result': { responses: { 200: reactorResponse } },
};
