import * as z from 'zod';
import { LIMITS } from '../limits.js';
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
  url,
  uuid,
} from './common.js';
import { runtime } from './reactors.js';

const code = z.string().min(1).max(LIMITS.reactorCodeCharacters);

const transform = object(
  'ProxyTransform',
  'Code that changes a request or response on its way through a proxy.',
  { code },
);

/** A text of an ordered transform. */
const text = z.string().max(LIMITS.reactorCodeCharacters);

const TRANSFORM_TYPES = ['code', 'mask', 'tokenize', 'append_json', 'append_text', 'append_header'] as const;

/** The properties that transforms of a type must have. */
const REQUIRED: Readonly<Record<(typeof TRANSFORM_TYPES)[number], readonly string[]>> = {
  code: ['code'],
  mask: ['matcher', 'replacement'],
  tokenize: ['options.token'],
  append_json: ['options.value', 'options.location'],
  append_text: ['options.value'],
  append_header: ['options.value', 'options.location'],
};

const transformOptions = object(
  'ProxyTransformOptions',
  'How code runs, or what another transform writes, and where.',
  {
    token: z.record(z.string(), z.unknown()).optional(),
    identifier: z.string().max(LIMITS.nameCharacters).optional(),
    value: text.optional(),
    location: z.string().max(LIMITS.nameCharacters).optional(),
    runtime: runtime.optional(),
  },
);

const orderedTransform = z
  .strictObject({
    type: oneOf(TRANSFORM_TYPES).optional(),
    /** Clients send it empty with transforms of other types. */
    code: code.or(z.literal('')).optional(),
    matcher: oneOf(['regex', 'chase_stratus_pan']).optional(),
    expression: text.refine(isRegExp, 'must be a regular expression').optional(),
    replacement: text.optional(),
    options: transformOptions.optional(),
  })
  .superRefine(({ type = 'code', ...given }, context) => {
    const { matcher, options = {} } = given;
    const values: Record<string, unknown> = { ...given };
    for (const [name, value] of Object.entries(options)) values[`options.${name}`] = value;
    for (const name of [...REQUIRED[type], ...(matcher === 'regex' ? ['expression'] : [])])
      if (values[name] === undefined || (name === 'code' && values[name] === ''))
        context.addIssue({ code: 'custom', path: name.split('.'), message: `is required by type ${type}` });
    if (type === 'append_json' && !JSON_LOCATION.test(options.location ?? '$.'))
      context.addIssue({
        code: 'custom',
        path: ['options', 'location'],
        message: 'must be a path of at most 16 names: $.a.b',
      });
  })
  .meta({
    id: 'OrderedTransform',
    description: 'One of the transforms of a proxy that run in their order; by default, code.',
  });

/** Where `append_json` writes a value. */
const JSON_LOCATION = /^\$(\.[\w-]+){1,16}$/;

function isRegExp(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

const MAX_TRANSFORMS = 20;

const transforms = z.array(orderedTransform).max(MAX_TRANSFORMS).nullish();

/** The ordered transforms of a proxy, in requests and in manifests. */
export const orderedTransforms = { request_transforms: transforms, response_transforms: transforms };

const proxy = object('Proxy', 'Where requests go, and what happens to them on the way.', {
  id: uuid,
  tenant_id: uuid,
  /** Chooses the proxy in the header of a request through it. */
  key: z.string(),
  name,
  destination_url: url,
  request_transform: transform.optional(),
  request_transforms: z.array(orderedTransform).optional(),
  response_transform: transform.optional(),
  response_transforms: z.array(orderedTransform).optional(),
  configuration: stringMap,
  application: applicationReference.optional(),
  /** That of `application`, as clients of the API family read it. */
  application_id: uuid.optional(),
  require_auth: z.boolean(),
  disable_detokenization: z.boolean().optional(),
  client_certificate: z.string().optional(),
  ...activation,
  ...modified,
});

const saveProxy = object('SaveProxyRequest', 'A proxy to create, or to put in the place of another.', {
  name,
  destination_url: callbackUrl,
  request_transform: transform.nullish(),
  response_transform: transform.nullish(),
  ...orderedTransforms,
  configuration: stringMap.nullish(),
  application: applicationReference.nullish(),
  require_auth: z.boolean().nullish(),
  disable_detokenization: z.boolean().nullish(),
  client_certificate: name.nullish(),
});

const updateProxy = saveProxy
  .partial()
  .extend({ configuration: stringMapPatch.optional(), require_auth: z.boolean().optional() })
  .meta({ id: 'UpdateProxyRequest', description: 'What to change in a proxy, as a merge patch (RFC 7386).' });

export const proxySchemas = {
  'proxies.create': { body: saveProxy, responses: { 201: proxy } },
  'proxies.list': { query: namedQuery('proxies'), responses: { 200: page(proxy) } },
  'proxies.get': { responses: { 200: proxy } },
  'proxies.replace': { body: saveProxy, responses: { 200: proxy } },
  'proxies.update': { body: updateProxy, responses: { 204: empty } },
  'proxies.delete': { responses: { 204: empty } },
};
