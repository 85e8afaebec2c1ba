import * as z from 'zod';
import { LIMITS } from '../limits.js';
import {
  applicationReference,
  callbackUrl,
  created,
  empty,
  modified,
  name,
  namedQuery,
  noQuery,
  page,
  stringMap,
  stringMapPatch,
  url,
  uuid,
} from './common.js';

const transform = z.strictObject({ code: z.string().min(1).max(LIMITS.reactorCodeCharacters) }).meta({
  id: 'ProxyTransform',
  description: 'Code that changes a request or response on its way through a proxy.',
});

const proxy = z
  .strictObject({
    id: uuid,
    tenant_id: uuid,
    /** Chooses the proxy in the header of a request through it. */
    key: z.string(),
    name,
    destination_url: url,
    request_transform: transform.optional(),
    response_transform: transform.optional(),
    configuration: stringMap,
    application: applicationReference.optional(),
    require_auth: z.boolean(),
    ...created,
    ...modified,
  })
  .meta({ id: 'Proxy', description: 'Where requests go, and what happens to them on the way.' });

const saveProxy = z
  .strictObject({
    name,
    destination_url: callbackUrl,
    request_transform: transform.nullish(),
    response_transform: transform.nullish(),
    configuration: stringMap.nullish(),
    application: applicationReference.nullish(),
    require_auth: z.boolean().nullish(),
  })
  .meta({ id: 'SaveProxyRequest', description: 'A proxy to create, or to put in the place of another.' });

const updateProxy = z
  .strictObject({
    name: name.optional(),
    destination_url: callbackUrl.optional(),
    request_transform: transform.nullish(),
    response_transform: transform.nullish(),
    configuration: stringMapPatch.optional(),
    application: applicationReference.nullish(),
    require_auth: z.boolean().optional(),
  })
  .meta({ id: 'UpdateProxyRequest', description: 'What to change in a proxy, as a merge patch (RFC 7386).' });

export const proxySchemas = {
  'proxies.create': { query: noQuery, body: saveProxy, responses: { 201: proxy } },
  'proxies.list': { query: namedQuery('proxies'), responses: { 200: page(proxy) } },
  'proxies.get': { query: noQuery, responses: { 200: proxy } },
  'proxies.replace': { query: noQuery, body: saveProxy, responses: { 200: proxy } },
  'proxies.update': { query: noQuery, body: updateProxy, responses: { 204: empty } },
  'proxies.delete': { query: noQuery, responses: { 204: empty } },
};
