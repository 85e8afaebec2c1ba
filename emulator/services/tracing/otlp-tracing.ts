import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { LRUCache } from 'lru-cache';
import packageJson from '../../../package.json' with { type: 'json' };
import { OPERATION_IDS, operationRow } from '../../../src/contract/operations.js';
import { isProxied, PROXY_PATH } from '../../../src/contract/proxies.js';
import type { Logger } from '../../lib/logger.js';
import type { InvocationSpan, OutgoingRequest, ParentSpan, Tracing } from './tracing.js';

const CLOSE_TIMEOUT_MS = 2_000;
/** Requests whose deliveries link to them. */
const LINKED_REQUESTS = 10_000;
const [FIRST_ERROR, FIRST_SERVER_ERROR] = [400, 500] as const;

/**
 * Creates the exporter of spans. The other variables of the OpenTelemetry specification apply as well: `OTEL_SERVICE_NAME`,
 * `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_TRACES_SAMPLER`, `OTEL_BSP_SCHEDULE_DELAY` …
 * @param endpoint base URL of a receiver of OTLP over HTTP; spans go to `/v1/traces` below it, as JSON
 */
export function createOtlpTracing(endpoint: string, logger: Pick<Logger, 'warn'>): Tracing {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const { name, version } = packageJson;
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': `${name}-emulator`,
      'service.version': version,
    }).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  const warn = warnOnce(logger);
  setGlobalErrorHandler(warn);
  const tracer = provider.getTracer(name, version);
  const propagator = new W3CTraceContextPropagator();
  /** The spans of requests, by trace id of the service. */
  const requests = new LRUCache<string, SpanContext>({ max: LINKED_REQUESTS });

  function recordOutgoing(request: OutgoingRequest, parent: Context, more: SpanOptions = {}): void {
    const { method, url, status, durationMs } = request;
    const now = Date.now();
    const span = tracer.startSpan(
      method,
      { kind: SpanKind.CLIENT, startTime: now - durationMs, ...more },
      parent,
    );
    span.setAttributes({ 'http.request.method': method, ...hostOf(url) });
    setStatus(span, status, FIRST_ERROR);
    span.end(now);
  }

  function parentSpan(span: Span): ParentSpan {
    const context = trace.setSpan(ROOT_CONTEXT, span);
    return {
      startInvocation: (start) => startInvocation(start, context),
      recordRequest: (request) => recordOutgoing(request, context),
    };
  }

  function startInvocation(
    { trace_id, tenant_id, reactor_id }: Parameters<ParentSpan['startInvocation']>[0],
    parent: Context,
  ): InvocationSpan {
    const span = tracer.startSpan('reactor', {}, parent);
    span.setAttributes({
      'tokenctl.trace_id': trace_id,
      'tokenctl.tenant_id': tenant_id,
      'tokenctl.reactor_id': reactor_id,
    });
    return {
      ...parentSpan(span),
      end({ status, cold, phases_ms }) {
        if (cold !== undefined) span.setAttribute('tokenctl.cold', cold);
        for (const [phase, duration] of Object.entries(phases_ms))
          if (duration !== undefined) span.setAttribute(`tokenctl.${phase}_ms`, duration);
        setStatus(span, status, FIRST_ERROR);
        span.end();
      },
    };
  }

  return {
    startRequest(traceId, traceparent) {
      const carrier = traceparent === undefined ? {} : { traceparent };
      const caller = propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, caller);
      if (traceId !== undefined) requests.set(traceId, span.spanContext());
      return {
        ...parentSpan(span),
        end({ method, path, status, operation, trace_id, tenant_id, application_id }) {
          const id = OPERATION_IDS.find((one) => one === operation);
          const route = id ? operationRow(id).path : isProxied(path) ? `${PROXY_PATH}/{path}` : undefined;
          span.updateName(route ? `${method} ${route}` : method);
          span.setAttributes({
            'http.request.method': method,
            ...(route && { 'http.route': route }),
            ...(operation && { 'tokenctl.operation': operation }),
            'tokenctl.trace_id': trace_id,
            ...(tenant_id && { 'tokenctl.tenant_id': tenant_id }),
            ...(application_id && { 'tokenctl.application_id': application_id }),
          });
          setStatus(span, status, FIRST_SERVER_ERROR);
          span.end();
        },
      };
    },
    recordDelivery({ tenantId, requestId, traceId, attempt, eventType, ...request }) {
      const cause = traceId === undefined ? undefined : requests.get(traceId);
      const attributes = {
        'tokenctl.tenant_id': tenantId,
        'tokenctl.request_id': requestId,
        'tokenctl.attempt': attempt,
        ...(traceId && { 'tokenctl.trace_id': traceId }),
        ...(eventType && { 'tokenctl.event_type': eventType }),
      };
      recordOutgoing(request, ROOT_CONTEXT, { attributes, ...(cause && { links: [{ context: cause }] }) });
    },
    close: () => shutDown(provider, warn),
  };
}

function setStatus(span: Span, status: number | undefined, firstError: number): void {
  if (status !== undefined) span.setAttribute('http.response.status_code', status);
  if (status === undefined || status >= firstError) span.setStatus({ code: SpanStatusCode.ERROR });
}

function hostOf(text: string): Attributes {
  if (!URL.canParse(text)) return {};
  const { hostname, port, protocol } = new URL(text);
  const standardPort = protocol === 'https:' ? 443 : 80;
  return { 'server.address': hostname, 'server.port': port === '' ? standardPort : Number(port) };
}

/** Returns a function that warns once. The error is left out: it may quote the endpoint, which may hold a credential. */
function warnOnce(logger: Pick<Logger, 'warn'>): () => void {
  let warned = false;
  return () => {
    if (!warned) logger.warn('The receiver of OTEL_EXPORTER_OTLP_ENDPOINT does not accept spans.');
    warned = true;
  };
}

/** Sends the spans that are left. @param warn called if the receiver has not accepted them in time */
async function shutDown(provider: BasicTracerProvider, warn: () => void): Promise<void> {
  const timeout = new Promise<void>((resolve) =>
    setTimeout(() => {
      warn();
      resolve();
    }, CLOSE_TIMEOUT_MS).unref(),
  );
  await Promise.race([provider.shutdown().catch(warn), timeout]);
}
