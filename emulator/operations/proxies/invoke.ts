import type { HeaderNames } from '../../../src/contract/headers.js';
import { callbackUrl, SCHEME_RULE } from '../../../src/contract/schemas/common.js';
import { Access } from '../../access/access.js';
import { RequestBudget } from '../../expressions/index.js';
import { problem, validationProblem } from '../../problems/problem.js';
import { audit } from '../../services/audit-log.js';
import type { ApplicationRecord, ProxyRecord, Stored } from '../../store/records.js';
import { checkProxyPermission } from '../authorize.js';
import { type Call, type Context, contextOf } from '../context.js';
import { findProxyByKey, takeProxyKey } from '../proxy-record.js';
import { assertActive } from '../resource/activation.js';
import { detokenizeRequest, type OutgoingRequest } from './detokenize-request.js';
import { forward } from './forward.js';
import { addPassed, forwardable, type ProxyRequest, type ProxyResponse, readPassed } from './message.js';
import { transformMessage } from './ordered-transforms.js';

/** Sends a request through a proxy: expressions, request transforms, destination, response transforms over a 2xx. */
export async function invokeProxy(request: ProxyRequest, shared: Context): Promise<ProxyResponse> {
  const passed = readPassed(request.headers);
  const { proxy, call, query } = await resolveProxy(request, shared);
  const context = contextOf(shared, call.tenant.id);
  const service = new Set(Object.values(context.headers).map((name: string) => name.toLowerCase()));
  const incoming = { ...request, query, headers: forwardable(request.headers, service) };
  if ('id' in proxy) assertActive(proxy, 'proxy', context);
  const { disable_detokenization: isAsSent, configuration } = 'id' in proxy ? proxy : {};
  const detokenized = isAsSent ? incoming : await detokenizeRequest(incoming, call, context, configuration);
  if ('id' in proxy) {
    const { id, name, tenant_id } = proxy;
    context.store.record([audit(call, { entity: 'proxy', operation: 'use', id }, context)]);
    const { actor } = call;
    await context.webhookEvents.report('proxy.invoked', tenant_id, { proxy: { id, name }, actor });
  }
  const send = (outgoing: OutgoingRequest) => {
    const sent = { ...outgoing, headers: addPassed(outgoing.headers, passed), ...connectionOf(proxy) };
    return forward(proxy.destination_url, sent, request.charge, call, context);
  };
  if (!('id' in proxy)) return send(detokenized);
  const budget = new RequestBudget(context.clock.now(), call.tenant.id);
  // Any text may identify a token.
  const transformation = { proxy, call, context, tokens: Object.create(null), budget };
  const response = await send(await transformMessage(detokenized, 'request', transformation));
  const isSuccess = response.status >= 200 && response.status < 300;
  return isSuccess ? transformMessage(response, 'response', transformation) : response;
}

/** @throws ProblemError 400 */
function connectionOf({ client_certificate: name, configuration }: Partial<ProxyRecord>) {
  if (name === undefined) return {};
  const pem = configuration?.[name];
  if (pem === undefined)
    throw validationProblem({ client_certificate: ['must name a value of the configuration of the proxy'] });
  return { connection: { cert: pem, key: pem } };
}

interface ResolvedProxy {
  /** Without a record for an ephemeral proxy. */
  proxy: Stored<ProxyRecord> | { destination_url: string };
  call: Call;
  /** The query without the key of the proxy. */
  query: string;
}

async function resolveProxy(request: ProxyRequest, context: Context): Promise<ResolvedProxy> {
  const { headers } = context;
  const { key = headerOf(request, headers.proxyKey), query } = takeProxyKey(request.query, headers);
  const destination = headerOf(request, headers.proxyUrl);
  if (key !== undefined) return { ...(await findProxy(key, request, context)), query };
  const call = requireCall(request, headers);
  if (destination === undefined) {
    const needed = `${headers.proxyKey} or ${headers.proxyUrl}`;
    const detail = `The request must have the header ${needed}.`;
    throw problem('validation', detail, { headers: [`must have ${needed}`] });
  }
  if (call.tenant.settings.disable_ephemeral_proxy === 'true')
    throw problem('forbidden', 'The tenant has disabled proxies without a configuration.');
  const url = callbackUrl.safeParse(destination);
  if (!url.success) throw validationProblem({ [`headers.${headers.proxyUrl}`]: [SCHEME_RULE] });
  return { proxy: { destination_url: url.data }, call, query };
}

function headerOf({ headers }: ProxyRequest, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1];
}

async function findProxy(key: string, request: ProxyRequest, context: Context) {
  const proxy = await findProxyByKey(key, context);
  const isForeign = request.call !== null && proxy?.tenant_id !== request.call.tenant.id;
  if (!proxy || isForeign) {
    if (request.call === null) requireCall(request, context.headers);
    throw problem('notFound', 'There is no proxy with this key.');
  }
  if (request.call !== null || proxy.require_auth)
    return { proxy, call: requireCall(request, context.headers) };
  return { proxy, call: await anonymousCall(proxy, request, context) };
}

/** @throws ProblemError 401 without an API key, 403 without the permission */
function requireCall({ call }: ProxyRequest, { apiKey }: HeaderNames): Call {
  if (call === null) throw problem('unauthenticated', `The header ${apiKey} must hold an API key.`);
  checkProxyPermission(call);
  return call;
}

/** A call without a key, which may use no token. A transform has the permissions of the proxy's application. */
async function anonymousCall(
  { id, tenant_id, name, created_at }: ProxyRecord,
  { traceId, record }: ProxyRequest,
  { store, clock }: Context,
): Promise<Call> {
  const tenant = await store.get('tenants', tenant_id, tenant_id);
  if (!tenant) throw problem('notFound', 'There is no proxy with this key.');
  const own = { id, tenant_id, name, created_at, revision: 0 };
  const application: Stored<ApplicationRecord> = { ...own, type: 'public', permissions: [] };
  const caller = { application, actor: { id, type: 'proxy' } } as const;
  const access = new Access(application);
  const checks = record.beginCall(caller, clock.now());
  return { ...caller, tenant, access, record, checks, traceId, depth: 0 };
}
