import { useStub } from './http-server.js';

type Value = string | number | boolean;

/** A span as OTLP sends it, its attributes as an object. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Absent from the first span of a trace. */
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code: number };
  links?: { traceId: string; spanId: string }[];
  attributes: Record<string, Value>;
}

interface OtlpReceiver {
  url: string;
  spans(): ReceivedSpan[];
  /** The attributes of what sent the spans. */
  resource(): Record<string, Value>;
  /** All requests as received: path, headers and bodies. */
  text(): string;
}

interface Attribute {
  key: string;
  value: Record<string, Value>;
}

type RawSpan = Omit<ReceivedSpan, 'attributes'> & { attributes: Attribute[] };

interface Export {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: RawSpan[] }[] }[];
}

const toObject = (attributes: readonly Attribute[]): Record<string, Value> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [[type, content] = ['', '']] = Object.entries(value);
      // Numbers of 64 bits are strings in JSON.
      return [key, type === 'intValue' ? Number(content) : content];
    }),
  );

/** Provides a receiver of OTLP over HTTP with JSON for the tests of the file that calls it. */
export function useOtlpReceiver(): OtlpReceiver {
  const stub = useStub({ body: {} });
  const received = () =>
    stub.requests
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ body }) => (JSON.parse(body) as Export).resourceSpans);
  return {
    get url() {
      return stub.url;
    },
    spans: () =>
      received()
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map((span) => ({ ...span, attributes: toObject(span.attributes) })),
    resource: () => toObject(received()[0]?.resource.attributes ?? []),
    text: () => JSON.stringify(stub.requests),
  };
}
