import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { compileQuery } from '../../../../emulator/operations/tokens/query/compile.js';
import { QuerySyntaxError } from '../../../../src/contract/search-query/syntax-error.js';
import { idsIn, refusal, useServer } from '../../../support/test-server.js';

const server = useServer();
let fingerprint = '';
let createdBy = '';

const search = (query: unknown, rest = {}) => server.post('/tokens/search', { query, ...rest });
const found = async (query: string) => {
  const answer = await search(query);
  expect(answer.body.errors).toBeUndefined();
  return idsIn(answer).sort();
};

beforeAll(async () => {
  const { clock } = server.emulator;
  clock.freeze();
  await clock.set(Date.parse('2030-01-01T00:00:00Z'));
  const card = {
    type: 'card_number',
    search_indexes: ['{{ data | last4 }}', 'Prefix {{ data | card_bin }}'],
  };
  const visa = await server.token({
    ...card,
    id: 'visa-1',
    data: '4242424242424242',
    metadata: { User: 'Ann', 'user id': '7', 'a.b': 'x' },
  });
  fingerprint = visa.fingerprint;
  createdBy = visa.created_by;
  await clock.advance(86_400_000);
  await server.token({
    ...card,
    id: 'amex-1',
    data: '378282246310005',
    containers: ['/pci/low/'],
    metadata: { User: 'Bob' },
  });
  await clock.advance(86_400_000);
  await server.token({
    type: 'token',
    id: 'text-1',
    data: 'Some "text"',
    search_indexes: ['{{ data }}', 'a*b'],
    metadata: { User: 'anna', n: '007', path: '/a/b' },
  });
  await server.patch('/tokens/text-1', {});
});

it.each<[string, string[]]>([
  ['', ['amex-1', 'text-1', 'visa-1']],
  ['*', ['amex-1', 'text-1', 'visa-1']],
  ['*:*', ['amex-1', 'text-1', 'visa-1']],
  // fields
  ['id:visa-1', ['visa-1']],
  ['id:"visa-1"', ['visa-1']],
  ['id:visa*', ['visa-1']],
  ['id:*', ['amex-1', 'text-1', 'visa-1']],
  ['type:card_number', ['amex-1', 'visa-1']],
  ['type:card*', ['amex-1', 'visa-1']],
  ['type:card', []],
  ['container:"/pci/"', ['amex-1', 'visa-1']],
  ['container:/pci/', ['amex-1', 'visa-1']],
  ['container:/PCI/low/', ['amex-1']],
  ['container:/pci/low', ['amex-1']],
  ['container:/', ['amex-1', 'text-1', 'visa-1']],
  ['container:/pci/low/ AND type:card_number', ['amex-1']],
  ['(NOT container:/pci/low/) container:/pci/', ['visa-1']],
  ['container:(/pci/low/ OR /general/high/)', ['amex-1', 'text-1']],
  ['-container:/pci/low/ OR container:/pci/low/', ['amex-1', 'text-1', 'visa-1']],
  ['data:"x /pci/low/"', []],
  ['metadata.path:"/a/b"', ['text-1']],
  ['container:"/PCI/low/"', ['amex-1']],
  ['container:"/"', ['amex-1', 'text-1', 'visa-1']],
  ['data:4242', ['visa-1']],
  ['data:"Prefix 42424242"', ['visa-1']],
  ['data:"prefix 42424242"', []],
  ['data:424', []],
  ['data:42*', []],
  ['data:a*b', ['text-1']],
  ['data:"Some \\"text\\""', ['text-1']],
  ['metadata.User:ann', ['visa-1']],
  ['metadata.User:ANN*', ['text-1', 'visa-1']],
  ['metadata.user:ann', []],
  ['metadata.n:007', ['text-1']],
  ['metadata.n:7', []],
  ['metadata.user\\ id:7', ['visa-1']],
  ['metadata.a.b:x', ['visa-1']],
  // operators, parentheses, precedence
  ['type:card_number AND data:4242', ['visa-1']],
  ['type:card_number data:4242', ['visa-1']],
  ['type:card_number && data:4242', ['visa-1']],
  ['data:4242 OR data:0005', ['amex-1', 'visa-1']],
  ['data:4242 || data:0005', ['amex-1', 'visa-1']],
  ['NOT type:token', ['amex-1', 'visa-1']],
  ['-type:token', ['amex-1', 'visa-1']],
  ['!type:token', ['amex-1', 'visa-1']],
  ['type:card_number AND NOT data:4242', ['amex-1']],
  ['type:card_number NOT data:4242', ['amex-1']],
  ['type:token OR NOT data:4242', ['amex-1', 'text-1']],
  ['NOT (data:4242 OR type:token)', ['amex-1']],
  ['NOT data:4242 AND NOT type:token', ['amex-1']],
  ['id:text-1 OR type:card_number AND data:4242', ['text-1', 'visa-1']],
  ['type:card_number AND data:4242 OR id:text-1', ['text-1', 'visa-1']],
  ['type:card_number AND (data:4242 OR id:text-1)', ['visa-1']],
  ['data:4242 AND type:token OR data:0005 AND type:card_number', ['amex-1']],
  ['data:(4242 OR 0005)', ['amex-1', 'visa-1']],
  ['data:(4242 OR 0005) AND id:amex-1', ['amex-1']],
  ['((id:visa-1))', ['visa-1']],
  [`${'('.repeat(100)}id:visa-1${')'.repeat(100)}`, ['visa-1']],
  ['(NOT id:visa-1) AND type:card_number', ['amex-1']],
  // dates
  ['created_at:[2030-01-01 TO 2030-01-02]', ['amex-1', 'visa-1']],
  ['created_at:[2030-01-01 TO 2030-01-02}', ['visa-1']],
  ['created_at:{2030-01-01 TO 2030-01-03}', ['amex-1']],
  ['created_at:{2030-01-01 TO *}', ['amex-1', 'text-1']],
  ['created_at:[* TO 2030-01-02]', ['amex-1', 'visa-1']],
  ['created_at:[* TO *]', ['amex-1', 'text-1', 'visa-1']],
  ['created_at:2030-01-02', ['amex-1']],
  ['created_at:>2030-01-02', ['text-1']],
  ['created_at:>=2030-01-02', ['amex-1', 'text-1']],
  ['created_at:<2030-01-02', ['visa-1']],
  ['created_at:<=2030-01-02', ['amex-1', 'visa-1']],
  ['created_at:2030-01-02T00:00:00Z', ['amex-1']],
  ['data:2030-01-02T10:00:00Z', []],
  ['created_at:"2030-01-02T01:00:00+01:00"', ['amex-1']],
  ['created_at:>2030-01-01T00:00:00.001Z AND type:card_number', ['amex-1']],
  ['created_at:[2030-01-02T00:00:00Z TO 2030-01-02T00:00:01Z]', ['amex-1']],
  ['modified_at:2030-01-03', ['text-1']],
  ['modified_at:[* TO *]', ['text-1']],
  ['NOT modified_at:[* TO *]', ['amex-1', 'visa-1']],
])('POST /tokens/search: %s', async (query, expected) => expect(await found(query)).toEqual(expected));

it('POST /tokens/search: fingerprint, created_by and modified_by', async () => {
  expect(await found(`fingerprint:${fingerprint}`)).toEqual(['visa-1']);
  expect(await found(`created_by:${createdBy}`)).toHaveLength(3);
  expect(await found(`created_by:${createdBy.toUpperCase()}`)).toHaveLength(3);
  expect(await found(`modified_by:${createdBy}`)).toEqual(['text-1']);
});

it('POST /tokens/search: an absent or null query finds everything; pages as lists do', async () => {
  expect((await server.post('/tokens/search', {})).body.pagination.total_items).toBe(3);
  expect((await search(null)).body.pagination.total_items).toBe(3);
  expect((await search('', { page: 2, size: 2 })).body).toMatchObject({
    pagination: { total_items: 3, page_number: 2, page_size: 2, total_pages: 2 },
    data: [{ id: 'visa-1' }],
  });
});

it.each<[unknown, RegExp]>([
  ['type:', /position 6/],
  ['type:card AND', /operator.*position 11/],
  ['AND type:card', /operator.*position 1\)/],
  ['type:card AND OR type:token', /operator/],
  ['NOT NOT type:card', /operator/],
  ['(type:card', /a \( that is not closed; .* \(position 1\)/],
  [`${'('.repeat(2_000)}type:card${')'.repeat(2_000)}`, /100 levels of parentheses \(position 101\)/],
  ['type:card)', /a \) that closes nothing \(position 10\)/],
  ['(type:"card)', /a " that is not closed; .* \(position 7\)/],
  ['card', /field:value.*position 1/],
  ['brand:visa', /unknown field.*metadata/],
  ['metadata.:x', /unknown field/],
  ['created_at:2030-01-01T00:00:00Z AND\nbrand:x', /unknown field.*position 37/],
  ['type:card AND\n(', /not closed; .* \(position 15\)/],
  ['created_at:[2030-01-01 TO 2031-01-01)', /a \) that closes nothing/],
  ['type:c*d', /trailing/],
  ['type:ca?d', /trailing/],
  [Array(51).fill('type:c*').join(' OR '), /more than 50 wildcards/],
  ['fingerprint:x*', /wildcards on id, type and metadata/],
  ['type:card~', /not supported/],
  ['type:card^2', /not supported/],
  ['data:/x/', /regular expression/],
  ['data:/x.*/', /regular expression/],
  ['container:/p.i/', /regular expression/],
  ['metadata.path:/a/b', /quote a value with \/ \(position 15\)/],
  ['container:/pci/*', /wildcards on id, type and metadata/],
  ['/pci/low/', /field:value.*position 1/],
  ['type:[a TO b]', /ranges are for dates/],
  ['created_at:yesterday', /ISO 8601.*position 12/],
  ['created_at:[a TO b]', /ISO 8601.*position 1\)/],
  ['created_at:2030-02-30', /ISO 8601/],
])('POST /tokens/search: bad syntax is 400 with the position: %s', async (query, message) => {
  const { status, body } = await search(query);
  expect(status).toBe(400);
  expect(body.errors.query[0]).toMatch(message);
});

it.each<[string, unknown, string]>([
  ['query', { query: 5 }, 'query'],
  ['query, too long', { query: `data:${'x'.repeat(4_096)}` }, 'query'],
])('POST /tokens/search: 400: %s', async (_name, body, path) => {
  expect(refusal(await server.post('/tokens/search', body))).toEqual([400, [path]]);
});

it('any text is a query or a syntax error, within a bounded time', () => {
  const words = ['type:card', 'id:', 'a', ' TO ', ' AND ', ' OR ', ' NOT ', '2030-01-01', 'metadata.x:y'];
  const piece = fc.constantFrom(...words, '&&', '||', ...'"()[]{}-+!*?~^\\/:> ');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      try {
        compileQuery(pieces.join(''));
      } catch (error) {
        expect(error).toBeInstanceOf(QuerySyntaxError);
      }
    }),
    { numRuns: 3_000 },
  );
  for (const query of [
    '('.repeat(4_000),
    `${'('.repeat(1_000)}id:x${')'.repeat(1_000)}`,
    'NOT '.repeat(1_000),
    '"'.repeat(4_000),
    'id:x '.repeat(800),
  ]) {
    const start = performance.now();
    try {
      compileQuery(query);
    } catch (error) {
      expect(error).toBeInstanceOf(QuerySyntaxError);
    }
    expect(performance.now() - start).toBeLessThan(20_000);
  }
});
