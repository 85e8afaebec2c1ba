import type { FastifyReply, FastifyRequest } from 'fastify';
import { maskCardNumbers } from '../../src/contract/card-numbers.js';
import type { RequestEvent } from '../../src/contract/control/events.js';
import type { ReactorTrace } from '../../src/contract/control/traces.js';
import type { HeaderNames } from '../../src/contract/headers.js';
import { maskName, plainHeaders } from '../../src/contract/masking.js';
import type { ProblemName } from '../../src/contract/problems.js';
import { pathOf } from '../lib/request-path.js';
import type { TenantClocks } from '../lib/tenant-clocks.js';
import { type ProblemError, problemBody } from '../problems/problem.js';
import { auditedFields } from '../services/audit-log.js';
import type { LeakWatch } from '../services/leaks/leak-watch.js';
import type { RequestContent } from '../services/request-record/request-record.js';
import type { RequestRecords } from '../services/request-record/request-records.js';

/** Problems whose detail is logged: it names the missing permission, and never quotes the request. */
const REFUSALS: ReadonlySet<ProblemName> = new Set(['unauthenticated', 'forbidden']);

/** Logs a request whose response is being sent. @param response JSON, unless the request failed */
export type LogRequest = (request: FastifyRequest, reply: FastifyReply, response?: string) => void;

interface RequestLogServices {
  headers: Pick<HeaderNames, 'background'>;
  clocks: Pick<TenantClocks, 'global' | 'of'>;
  records: Pick<RequestRecords, 'begin'>;
  /** undefined: requests are not searched for token data. */
  leakWatch?: Pick<LeakWatch, 'observe' | 'observeIncoming'> | undefined;
}

function contentOf(
  { headers, query, bodyText, problem, id, record }: FastifyRequest,
  response: string | undefined,
): RequestContent {
  const sent = problem ? JSON.stringify(problemResponse(problem, id, record?.thrown)) : response;
  return { headers: plainHeaders(headers), query, body: bodyText, response: sent };
}

/** The problem details of a response. Those that come from code may hold token data; of them, the masked message is kept. */
function problemResponse(problem: ProblemError, traceId: string, thrown: ReactorTrace['error']): unknown {
  const { errors, ...details } = problemBody(problem, traceId);
  if (thrown) return { ...details, detail: `${thrown.name}: ${thrown.message}` };
  return { ...details, ...(errors && { errors }) };
}

export function createRequestLog({ headers, clocks, records, leakWatch }: RequestLogServices): LogRequest {
  const background = headers.background.toLowerCase();
  return (request, reply, response) => {
    const { call, operation, problem } = request;
    const tenantId = call?.tenant.id ?? request.tenantId;
    const event: RequestEvent = {
      kind: 'request',
      time: (tenantId === undefined ? clocks.global : clocks.of(tenantId)).timestamp(),
      trace_id: request.id,
      method: request.method,
      path: maskCardNumbers(pathOf(request.url)),
      status: reply.statusCode,
      duration_ms: Math.round((performance.now() - request.startedAt) * 10) / 10,
    };
    if (operation) event.operation = operation;
    if (tenantId !== undefined) event.tenant_id = tenantId;
    if (call) {
      event.application_id = call.application.id;
      event.application_name = call.application.name;
      if (reply.statusCode < 400) Object.assign(event, auditedFields(call));
      if (call.ignored) event.ignored = call.ignored.map(maskName);
    }
    if (request.headers[background] === 'true') event.background = true;
    if (problem && REFUSALS.has(problem.problem)) event.error = problem.message;
    const record = request.record ?? records.begin(request.id);
    record.end(event, contentOf(request, response));
    if (leakWatch) observe(request, leakWatch);
  };
}

/** Hands to the watch what logs along the way may hold, and the text of a failure. That of a reactor is handed over by its trace. */
function observe(
  { operation: called, method, url, headers, problem }: FastifyRequest,
  watch: Pick<LeakWatch, 'observe' | 'observeIncoming'>,
): void {
  const operation = called ?? method;
  watch.observeIncoming(operation, url, headers);
  if (problem && problem.problem !== 'reactorRuntime')
    watch.observe(`failure of ${operation}`, `${problem.message}\n${JSON.stringify(problem.errors ?? {})}`);
}
