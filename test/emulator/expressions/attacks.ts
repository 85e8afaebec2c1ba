import type { TestServer } from '../../support/test-server.js';

interface Attack {
  name: string;
  /** Creates what the attack needs, and returns the request itself. */
  prepare(
    server: TestServer,
  ): Promise<{ path: string; body?: unknown; method?: 'GET' | 'POST'; key?: string }>;
  status: 200 | 201 | 400;
}

const MB = 1_048_576;
const large = 'x'.repeat(4.5 * MB);
const numbers = Array.from({ length: 10_000 }, (_, index) => index);
/** About 4 MB, in nearly as many values as a body may hold. */
const objects = Object.fromEntries(
  Array.from({ length: 49_000 }, (_, index) => [`key${index}`.padEnd(80, 'x'), [index]]),
);

/** Creates a token with one property on top of plain data. */
const create = (name: string, data: unknown, fields: object, status: Attack['status'] = 400): Attack => ({
  name,
  status,
  prepare: async () => ({ path: '/tokens', body: { type: 'token', data, ...fields } }),
});

const mask = (name: string, data: unknown, text: unknown, status?: Attack['status']) =>
  create(`mask: ${name}`, data, { mask: text, fingerprint_expression: 'x' }, status);

const detokenize = (
  name: string,
  data: unknown,
  body: (id: string) => unknown,
  status: Attack['status'] = 400,
) => ({
  name: `detokenize: ${name}`,
  status,
  async prepare(server: TestServer) {
    const { id } = await server.token({ type: 'token', data, fingerprint_expression: 'x' });
    return { path: '/detokenize', body: body(id) };
  },
});

const repeated = (text: string, count: number) => Array.from({ length: count }, () => text);

const outputs: Attack[] = [
  mask('an object of megabytes, joined 8,000 times', objects, '{{data}}'.repeat(8_000)),
  mask('a string of megabytes, joined 8,000 times', large, '{{data}}'.repeat(8_000)),
  mask('a string of megabytes in each of many properties', large, repeated('{{data}}', 1_000)),
  mask('replace that multiplies its input by itself', 'x'.repeat(10_000), '{{ data | replace: "x", data }}'),
  mask('replace of nothing', large, '{{ data | replace: "", "xxxxxxxxxxxxxxxxxxxx" }}'),
  mask('join with a long separator', { a: numbers, b: 'x'.repeat(100_000) }, '{{ data.a | join: data.b }}'),
  mask('the same value many times in one array', [large], `{{ data${' | concat: data'.repeat(3)} | json }}`),
  mask(
    'an array doubled again and again',
    [[large]],
    `{{ data${' | push: data | push: data'.repeat(40)} | json_stringify }}`,
  ),
  mask('append again and again', large, `{{ data${' | append: data'.repeat(100)} }}`),
  mask('json of json', '"'.repeat(100_000), `{{ data${' | json_stringify'.repeat(40)} }}`),
  mask('a long range', 1, '{{ (1..99999999) | join }}'),
  mask('escaping that lengthens', '"'.repeat(2.4 * MB), '{{ data | escape }}'),
  detokenize('a string joined many times', large, (id) => `{{${id}}}`.repeat(1_000)),
  detokenize('an object joined many times', objects, (id) => `{{${id}}}`.repeat(1_000)),
  detokenize('a string in many places', large, (id) => repeated(`{{${id}}}`, 1_000)),
];

const times: Attack[] = [
  mask('where_exp over itself', numbers, '{{ data | where_exp: "i", "data contains i" | size }}'),
  mask('find_exp over itself', numbers, '{{ data | find_exp: "i", "data contains -1" }}'),
  mask('group_by_exp', numbers, `{{ data | group_by_exp: "i", "data | sort | join" | size }}`),
  mask('has_exp', numbers, '{{ data | has_exp: "i", "data contains -1" }}'),
  mask('reject_exp', numbers, '{{ data | reject_exp: "i", "data contains i" | size }}'),
  mask(
    'nested expressions',
    numbers,
    '{{ data | where_exp: "i", "data | where_exp: \'j\', \'data contains j\'" | size }}',
  ),
  mask(
    'uniq of objects',
    numbers.map((n) => ({ n })),
    `{{ data${' | uniq'.repeat(30)} | size }}`,
    201,
  ),
  mask('sort again and again', numbers, `{{ data${' | sort | reverse'.repeat(4_000)} | size }}`),
  mask('strip_html of open tags', '<'.repeat(MB), '{{ data | strip_html }}', 201),
  mask('strip_html of open scripts', '<script'.repeat(200_000), '{{ data | strip_html }}', 201),
  mask('slugify of separators', '-'.repeat(4 * MB), `{{ data${' | slugify'.repeat(200)} }}`, 201),
  mask('a JSONPath of descendants', { a: numbers }, `{{ data | json: "$${'..*'.repeat(20)}" }}`),
  mask('a JSONPath filter over itself', numbers, '{{ data | json: "$[?count($[?@ > 1]) > @]" }}'),
  mask('to_number of digits', '1'.repeat(4 * MB).concat('x'), '{{ data | to_number }}'),
  mask('a format of card_exp with many ways to split', {}, `{{ data | card_exp: "${'Y'.repeat(200)}!" }}`),
  mask('a text at its maximum length', 1, `{{ data${' | plus: 1'.repeat(6_000)} }}`, 201),
  mask('64 KB of operands', 1, `{{ data${' and data'.repeat(7_000)} }}`, 201),
  create('id: an expression without end', numbers, {
    id: '{{ data | where_exp: "i", "data contains i" | size }}',
  }),
  create('search_indexes: many expensive indexes', numbers, {
    search_indexes: repeated('{{ data | where_exp: "i", "data contains i" | size }}', 64),
  }),
  create('fingerprint_expression: an expression without end', numbers, {
    fingerprint_expression: '{{ data | where_exp: "i", "data contains i" | size }}',
  }),
  {
    name: 'tokenize: thousands of expensive parts',
    status: 400,
    prepare: async () => {
      const data = numbers.slice(0, 100);
      const expensive = {
        type: 'token',
        data,
        mask: '{{ data | where_exp: "i", "data contains i" | join }}',
      };
      return { path: '/tokenize', body: Array.from({ length: 5_000 }, () => expensive) };
    },
  },
  detokenize(
    'an expression without end',
    numbers,
    (id) => `{{ ${id} | where_exp: "i", "value contains i" | size }}`,
  ),
  detokenize('many filters', large, (id) => repeated(`{{ ${id} | reveal_last: 4 | size }}`, 10_000)),
];

const masking = (server: TestServer) => server.application({ permissions: ['token:read'] });

const pages: Attack[] = [
  {
    name: 'a page of large masked tokens',
    status: 400,
    async prepare(server) {
      const tag = 'large';
      const body = {
        type: 'token',
        data: large,
        mask: '{{ data }}',
        metadata: { tag },
        fingerprint_expression: 'x',
      };
      for (let i = 0; i < 4; i++) await server.token(body);
      return { method: 'GET', path: `/tokens?metadata.tag=${tag}&size=100`, key: await masking(server) };
    },
  },
  {
    name: 'a page of expensive masks',
    status: 400,
    async prepare(server) {
      const tag = 'expensive';
      const data = numbers.slice(0, 400);
      const text = '{{ data | where_exp: "i", "data contains i" | size }}';
      const body = { type: 'token', data, mask: text, metadata: { tag } };
      // On a busy machine, one of them may exceed its second too.
      for (let stored = 0; stored < 80; )
        if ((await server.post('/tokens', body)).status === 201) stored += 1;
      return { method: 'GET', path: `/tokens?metadata.tag=${tag}&size=100`, key: await masking(server) };
    },
  },
];

export const ATTACKS: readonly Attack[] = [...outputs, ...times, ...pages];
