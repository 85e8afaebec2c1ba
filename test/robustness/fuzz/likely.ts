import fc, { type Arbitrary } from 'fast-check';
import type { OperationId } from '../../../src/contract/operations.js';
import { permissionsOfType } from '../../../src/contract/permissions.js';
import { anyJson, meaningfulText, oddText, oneOf } from './values.js';

const typed = fc.oneof(
  fc.record({ type: fc.constant('token'), data: anyJson }),
  fc.constantFrom(
    { type: 'card', data: { number: '4242424242424242', expiration_month: 12, cvc: 123 } },
    { type: 'bank', data: { routing_number: '021000021', account_number: '00123' } },
    { type: 'card_number', data: '5555555555554444' },
    { type: 'us_bank_account_number', data: '123' },
    { type: 'us_bank_routing_number', data: '021000021' },
    { type: 'social_security_number', data: '123-45-6789' },
    { type: 'employer_id_number', data: '12-3456789' },
  ),
);

const expressions = fc.constantFrom(
  '{{ data }}',
  '{{ data | stringify }}',
  '{{ data | json_stringify | reveal_last: 2 }}',
  '{{ data.number | last4 }}',
  '{{ metadata.a }}',
  'text {{ data }} text',
);

const metadata = fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', 'A'), oddText), oddText, { maxKeys: 3 });

const token = fc
  .tuple(
    typed,
    fc.record(
      {
        id: fc.oneof(
          fc.constantFrom('{{ data | alias_preserve_length: 1 }}', 'tok-{{ data }}'),
          fc.stringMatching(/^[a-z]{3,6}$/),
        ),
        mask: fc.oneof(
          expressions,
          fc.array(expressions, { maxLength: 3 }),
          fc.dictionary(oddText, expressions, { maxKeys: 3 }),
        ),
        metadata,
        search_indexes: fc.array(expressions, { maxLength: 3 }),
        fingerprint_expression: expressions,
        deduplicate_token: fc.boolean(),
        expires_at: fc.constantFrom('8/31/2099 3:30:00 PM -05:00', '1/2/2099', '2099-01-01T00:00:00.5+14:00'),
        containers: fc.constantFrom(['/'], ['/pci/high/', '/A-b_1/']),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([required, optional]) => ({ ...required, ...optional }));

const code = fc.constantFrom(
  'module.exports = async (req) => ({ raw: req.args })',
  'module.exports = async (req) => ({ tokenize: req.args })',
  'module.exports = async () => ({ raw: undefined })',
  'module.exports = async () => { throw { status: 402, message: 1 } }',
  'module.exports = async () => { throw { status: 200 } }',
  'module.exports = async () => { throw null }',
  'module.exports = async () => { const a = {}; a.a = a; return { raw: a } }',
  'module.exports = async () => ({ raw: 10n })',
  'module.exports = async () => "text"',
  'module.exports = async () => [1]',
  'module.exports = async () => ({ tokenize: null })',
  'module.exports = async () => ({ raw: "\\ud800" })',
  'module.exports = async (req) => req.args.missing.deep',
  'const { CustomHttpResponseError } = require("svc-reactor-errors"); module.exports = async (req) => { throw new CustomHttpResponseError({ status: req.args.status, headers: req.args.headers, body: req.args }) }',
  'require("fs")',
  'module.exports = 7',
);

const reactor = fc.record({
  name: fc.constantFrom('a', 'Ab', 'x*y'),
  code,
  configuration: fc.dictionary(oddText, oddText, { maxKeys: 2 }),
});

const args = fc.oneof(
  fc.dictionary(
    fc.constantFrom('status', 'headers', 'a', 'missing'),
    fc.oneof(
      anyJson,
      fc.constantFrom(
        '{{ <token> }}',
        "{{ token: <token> | json: '$.data' }}",
        '{{ <token> | to_string | last4 }}',
        'x {{<token>}} y',
        404,
        99,
        1000,
        { 'x-a': 'b' },
        { 'content-length': '5' },
        { 'bad header': '\n' },
      ),
    ),
    { maxKeys: 3 },
  ),
  fc.constantFrom('{{ <token> }}'),
);

const query = fc
  .array(
    oneOf(`id:a* type:card container:/pci/ data:4242 metadata.a:"x" created_at:>2020-01-01 AND OR NOT ( ) * *:*
      " \\ x:[1 TO 2]`),
    { maxLength: 7 },
  )
  .map((parts) => parts.join(' '));

const access = fc.record({
  name: meaningfulText,
  type: fc.constant('private'),
  rules: fc.array(
    fc.record({
      priority: fc.nat(3),
      container: fc.constantFrom('/', '/pci/'),
      transform: fc.constantFrom('redact', 'mask', 'reveal'),
      permissions: fc.subarray(permissionsOfType('private'), { minLength: 1 }),
    }),
    { maxLength: 3 },
  ),
});

/** Bodies that are usually accepted, so that requests pass the checks; `<token>` is the id of a token. */
export const LIKELY: Partial<Record<OperationId, Arbitrary<unknown>>> = {
  'tokens.create': token,
  'tokens.update': fc.oneof(
    token.map(({ type: _type, id: _id, ...patch }) => patch),
    fc.record({ metadata: fc.dictionary(oddText, fc.option(oddText)) }),
  ),
  'tokens.search': fc.record({ query }),
  tokenize: fc.oneof(token, fc.dictionary(oddText, fc.oneof(token, anyJson), { maxKeys: 3 })),
  detokenize: args,
  'reactors.create': reactor,
  'reactors.replace': reactor,
  'reactors.update': fc.record({ code }),
  'reactors.react': fc.record({ args }),
  'applications.create': access,
  'tenants.update': fc.record({
    name: meaningfulText,
    settings: fc.record({
      deduplicate_tokens: fc.constantFrom('true', 'false'),
      fingerprint_tokens: fc.constantFrom('true', 'false'),
    }),
  }),
};
