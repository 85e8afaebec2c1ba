import fc, { type Arbitrary } from 'fast-check';
import { OPERATION_IDS, type OperationId, operationRow } from '../../../src/contract/operations.js';
import { operationSchemas } from '../../../src/contract/schemas/index.js';
import { ofContract } from './json-schema.js';
import { LIKELY } from './likely.js';
import { mutated } from './mutation.js';
import { anyJson, oddText, oneOf } from './values.js';

/** A generated request; `<id>`, `<token>` and `<key>` are replaced by values of the service when it is sent. */
export interface WildRequest {
  method: string;
  /** May contain `<id>`. */
  target: string;
  headers: [string, string][];
  body: string | undefined;
  /** The index of a known id, modulo their number. */
  pick: number;
}

/** Excludes lone surrogates, which have no UTF-8 encoding. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

const rarely = <T>(usual: Arbitrary<T>, odd: Arbitrary<T>, weight = 8) =>
  fc.oneof({ arbitrary: usual, weight }, odd);

const method = (id: OperationId) =>
  rarely<string>(
    fc.constant(operationRow(id).method),
    oneOf('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND QUERY'),
    15,
  );

const pathId = rarely(
  fc.constant('<id>'),
  fc.oneof(
    fc.uuid(),
    oddText.map((text) => encoded(text)),
    oneOf('.. . %2e%2e % %zz %c0%af a%00b a;b %F0%9F%92%B3 5C8D2A52-4F4E-4B9E-9C8A-8D6A3E0E7A11'),
    fc.constant('a b'),
  ),
);

const path = (id: OperationId) =>
  rarely(
    pathId.map((value) => operationRow(id).path.replace('{id}', () => value)),
    oneOf(`/ // /tokens/ /TOKENS /tokens// /reactors/<id>/react/ /tenants/other /% /openapi /tokens/search/x
      /./tokens /tokens/../tokens *`),
    20,
  );

function parameter([name, value]: [string, unknown]): string {
  const text = (part: unknown) => encoded(String(part));
  if (Array.isArray(value)) return value.map((item) => `${text(name)}=${text(item)}`).join('&');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, item]) => `${text(name)}.${text(key)}=${text(item)}`)
      .join('&');
  return `${text(name)}=${text(value)}`;
}

const oddQuery = fc.oneof(
  fc.tuple(oddText, oddText).map(parameter),
  oneOf(`∅ & = ? % a[b]=1 page= page=1&page=2 size=1e2 size=0x10 size=-0 id[]=x metadata=x metadata.=x
    metadata.__proto__=x __proto__=1 %zz=%zz page=99999999999999999999 page=9007199254740991&size=100`),
  fc.constant('id='.repeat(150)),
);

function query(id: OperationId): Arbitrary<string> {
  const schema = ofContract(operationSchemas(id).query) as Arbitrary<Record<string, unknown>>;
  const usual = schema.map((values) => Object.entries(values).map(parameter).filter(Boolean).join('&'));
  return rarely(usual, oddQuery).map((text) => (text === '' ? '' : `?${text}`));
}

const rawBody = fc.oneof(
  oddText,
  fc.constantFrom(
    '',
    '{',
    '[1,]',
    '{"a":1,}',
    "{'a':1}",
    'NaN',
    '\ufeff{}',
    '{"type":"token","type":"card","data":1}',
    '{"__proto__":{"a":1},"type":"token","data":1}',
    '{"constructor":{"prototype":{"a":1}},"type":"token","data":1}',
    '{"type":"token","data":1e999}',
    '{"type":"token","data":"\\ud800"}',
    '"\\u0000"',
    `${'['.repeat(100_000)}`,
    `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`,
    '{"type":"token","data":1}{}',
    '{} // end',
    '1',
    'null',
    '""',
    '0'.repeat(1_000),
    '1'.repeat(1_000),
  ),
);

function body(id: OperationId): Arbitrary<string | undefined> {
  const { body: schema } = operationSchemas(id);
  if (!schema) return rarely<string | undefined>(fc.constant(undefined), rawBody);
  const value = ofContract(schema);
  const likely = LIKELY[id] ?? value;
  const json = fc
    .oneof({ arbitrary: likely, weight: 4 }, { arbitrary: value, weight: 3 }, mutated(likely), anyJson)
    .map((v) => JSON.stringify(v));
  return rarely<string | undefined>(json, fc.oneof(rawBody, fc.constant(undefined)));
}

const contentType = (id: OperationId) => {
  const own = operationRow(id).body === 'merge-patch' ? 'application/merge-patch+json' : 'application/json';
  const odd = [`${own}; charset=utf-8`, `${own};charset=utf-16`, `${own}; charset`, own.toUpperCase()];
  const words = oneOf(`application/json application/merge-patch+json text/plain multipart/form-data ∅ ; json
    application/ */*`);
  return rarely(
    fc.constant(own),
    fc.oneof(words, fc.constantFrom(...odd, 'application/json, text/plain')),
    12,
  );
};

/** Generates header values that HTTP allows, that is without line breaks. */
const headerText = oddText.map((text) => text.replace(/[\r\n\0]/g, '').trim());

const oddHeaders = fc.array(
  fc.oneof(
    fc.tuple(
      oneOf(`SVC-TRACE-ID SVC-IDEMPOTENCY-KEY Accept Accept-Encoding X-HTTP-Method-Override X-Forwarded-For
        Cookie Content-Encoding If-None-Match Range`),
      headerText,
    ),
    oneOf(`SVC-IDEMPOTENCY-KEY:again Host:attacker.example Host:[ Origin:null Origin:http://% Expect:100-continue
      Expect:tea Upgrade:websocket SVC-API-KEY:nobody Content-Length:x Content-Length:-1
      Transfer-Encoding:gzip Access-Control-Request-Method:POST`).map(
      (header) => [header.replace(/:.*/, ''), header.replace(/^.*?:/, '')] as [string, string],
    ),
  ),
  { maxLength: 2 },
);

const key = rarely(fc.constant('<key>'), fc.constantFrom('<wrong key>', '<other key>', ''), 25);

const requestFor = (id: OperationId): Arbitrary<WildRequest> =>
  fc
    .record({
      method: method(id),
      path: path(id),
      query: rarely(fc.constant(''), query(id), operationRow(id).method === 'GET' ? 1 : 15),
      key,
      type: contentType(id),
      extra: rarely(fc.constant([] as [string, string][]), oddHeaders, 4),
      body: body(id),
      pick: fc.nat(1_000),
    })
    .map(({ path: at, query: asked, type, extra, key: as, ...rest }) => ({
      ...rest,
      target: `${at}${asked}`,
      headers: [
        ['SVC-API-KEY', as],
        ...(rest.body === undefined ? [] : [['Content-Type', type]]),
        ...extra,
      ] as [string, string][],
    }));

/** Generates deletions of the tenant, which are rare because they remove all its data. */
const WEIGHTS: Partial<Record<OperationId, number>> = {
  'tenants.delete': 1,
  'tokens.create': 60,
  tokenize: 40,
  'reactors.create': 40,
};

export const anyRequest: Arbitrary<WildRequest> = fc.oneof(
  ...OPERATION_IDS.map((id) => ({ arbitrary: requestFor(id), weight: WEIGHTS[id] ?? 20 })),
);
