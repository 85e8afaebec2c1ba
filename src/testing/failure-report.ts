import type { OutboundCall } from '../contract/control/outbound.js';
import type { JournaledRequest } from '../contract/control/request-journal.js';
import type { ReactorTrace } from '../contract/control/traces.js';
import type { Tenant } from './tenant.js';

/** How many of each kind are described, the newest ones. */
const DESCRIBED = 3;
const REFUSED: readonly number[] = [401, 403];

/**
 * Describes what failed in the tenant of a test: requests that were refused, and why; invocations with console, requests and the
 * stack of the error; what proxies sent; deliveries that no receiver accepted. Values are masked. Empty if nothing failed.
 */
export async function describeFailures(tenant: Tenant): Promise<string> {
  const requests = await tenant.requests.list();
  const parts = await Promise.all([
    describeRefusals(tenant, requests),
    describeInvocations(tenant, requests),
    describeProxied(tenant, requests),
    describeDeliveries(tenant),
  ]);
  return parts.flat().join('\n\n');
}

async function describeRefusals({ requests }: Tenant, sent: readonly JournaledRequest[]): Promise<string[]> {
  const refused = sent.filter(({ status }) => REFUSED.includes(status));
  const traceIds = new Set(refused.slice(-DESCRIBED).map(({ trace_id }) => trace_id));
  const explained = await Promise.all([...traceIds].map((traceId) => requests.explain(traceId)));
  return explained.map((text) => `Refused in this test:\n${text}`);
}

async function describeInvocations(tenant: Tenant, sent: readonly JournaledRequest[]): Promise<string[]> {
  const failed = (await tenant.invocations.list()).filter(
    ({ status }) => status !== undefined && status >= 400,
  );
  const described = failed.slice(-DESCRIBED).map(async (trace) => {
    const request = sent.find(({ trace_id }) => trace_id === trace.trace_id);
    const lines = ['Reactor that failed in this test:', ...(request ? [describeRequest(request)] : [])];
    return tenant.locate(trace.reactor_id, [...lines, ...traceLines(trace)].join('\n'));
  });
  return Promise.all(described);
}

const describeRequest = ({ method, path, status, trace_id }: JournaledRequest): string =>
  `${method} ${path}  ${status}  (trace ${trace_id})`;

function traceLines({ error, stack = [], console, requests }: ReactorTrace): string[] {
  return [
    ...(error ? [`  ${error.name}: ${error.message}`] : []),
    ...stack.map((frame) => `      ${frame}`),
    ...console.map(({ level, message }) => `  console.${level}: ${message}`),
    ...requests.map(sentLine),
  ];
}

const sentLine = (sent: Pick<OutboundCall, 'method' | 'url' | 'status' | 'error'>): string =>
  `  sent ${sent.method} ${sent.url}  ${sent.status ?? sent.error ?? ''}`;

/** Describes the requests to proxies that failed, with what the destinations answered. */
async function describeProxied({ outbound }: Tenant, sent: readonly JournaledRequest[]): Promise<string[]> {
  const failed = sent.filter(
    ({ path, status }) => /^\/proxy(?:\/|$)/.test(path) && status >= 400 && !REFUSED.includes(status),
  );
  if (failed.length === 0) return [];
  const calls = await outbound.list();
  return failed.slice(-DESCRIBED).map((request) => {
    const own = calls.filter(({ source, trace_id }) => source === 'proxy' && trace_id === request.trace_id);
    return ['Proxy that failed in this test:', describeRequest(request), ...own.map(sentLine)].join('\n');
  });
}

async function describeDeliveries({ deliveries }: Tenant): Promise<string[]> {
  const failed = (await deliveries.list()).filter(({ last_error }) => last_error !== undefined);
  return failed
    .slice(-DESCRIBED)
    .map(
      ({ kind, event_type, url, attempts, last_error }) =>
        `Delivery that failed in this test:\n${event_type ?? kind} to ${url}, attempt ${attempts}: ${last_error}`,
    );
}
