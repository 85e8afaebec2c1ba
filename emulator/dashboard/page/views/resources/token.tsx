import type { AnyToken } from '../../../../../src/contract/schemas/index.js';
import { TOKEN_TYPE_NAMES, type TokenType } from '../../../../../src/contract/token-types.js';
import { callControl, RequestError } from '../../api/client.js';
import { Json, MaskedJson } from '../../components/code.js';
import { patchOf } from '../../components/field-values.js';
import { Panel } from '../../components/page.js';
import { RequestPanel } from '../../components/requests.js';
import { Command, Facts, Id, Path, Time } from '../../components/text.js';
import { formatJson } from '../../format.js';
import { useRequests, useService } from '../../hooks/emulator.js';
import { hrefTo } from '../../route.js';
import { Metadata } from '../tokens.js';
import type { ResourcePage } from './resource-page.js';

/** Loads a token with masked data. @throws RequestError 404 */
async function loadToken(id: string, tenantId: string): Promise<AnyToken> {
  const query = `id:${JSON.stringify(id)}`;
  const { data } = await callControl('tenants.tokens', { path: { id: tenantId }, query: { query } });
  if (data[0]) return data[0];
  throw new RequestError(404, 'There is no token with this ID in the tenant.');
}

/** Valid data of each type: test numbers, which no person has. */
const SAMPLES: Readonly<Record<TokenType, unknown>> = {
  token: { name: 'Ada Lovelace', email: 'ada@example.com' },
  card: { number: '4242424242424242', expiration_month: 12, expiration_year: 2032, cvc: '123' },
  bank: { routing_number: '021000021', account_number: '1234567890' },
  card_number: '4242424242424242',
  us_bank_account_number: '1234567890',
  us_bank_routing_number: '021000021',
  social_security_number: '123-45-6789',
  employer_id_number: '12-3456789',
  document: { content_type: 'text/plain', content: 'aGVsbG8=' },
};

export const tokenPage: ResourcePage<AnyToken> = {
  row: {
    noun: 'token',
    collection: 'tokens',
    verbs: [],
    deletion:
      'Its data is removed. What refers to the token, such as the arguments of a reactor, fails from then on.',
    fields: {
      type: { kind: 'text', options: TOKEN_TYPE_NAMES, immutable: true },
      data: { kind: 'json', secret: true },
      id: {
        kind: 'text',
        label: 'ID',
        hint: 'A text, or an expression such as {{ data | alias_preserve_format: 0, 4 }}; a UUID by default.',
        immutable: true,
      },
      containers: { kind: 'lines', hint: 'One per line; those of the type by default.' },
      metadata: {
        kind: 'map',
        hint: 'One name=value per line. Not encrypted, shown as it is: never token data.',
        placeholder: 'order=1001',
      },
      mask: {
        kind: 'json',
        hint: 'JSON, whose texts may be expressions.',
        placeholder: '"{{ data | reveal_last: 4 }}"',
      },
      search_indexes: {
        kind: 'lines',
        hint: 'One expression per line. A search for data:… finds their values.',
        placeholder: '{{ data.email }}',
      },
      fingerprint_expression: { kind: 'text', hint: 'The whole data by default.' },
      expires_at: { kind: 'text', hint: 'ISO 8601, for example 2030-01-31T12:00:00Z; never by default.' },
      deduplicate_token: {
        kind: 'boolean',
        label: 'Return the existing token of the same fingerprint instead of creating a copy',
        immutable: true,
      },
    },
  },
  load: loadToken,
  // Data is never loaded into the form.
  edited: ({ data, ...token }) => token,
  start: { type: 'token' },
  formOf: (type, isNew) => ({
    data: isNew
      ? { hint: 'JSON, as the type allows it.', placeholder: formatJson(SAMPLES[type as TokenType]) }
      : { hint: 'A JSON merge patch (RFC 7386). Empty: the data stays.' },
  }),
  finish: (body, isNew, before) => (isNew ? body : patchOf(before, body, ['metadata'])),
  Detail,
};

function Detail({ item: token }: { item: AnyToken }) {
  const { id, data } = token;
  const service = useService();
  const requests = useRequests().filter(({ path }) => path.includes(encodeURIComponent(id)));
  return (
    <div class="columns">
      <div class="stack">
        <Panel title="Data">
          <MaskedJson
            masked={data}
            label="Data"
            reveal={async () => (await service.call('tokens.get', { path: { id } })).data}
            note="Revealing reads the token with the private key; the audit log records it."
          />
        </Panel>
        {requests.length > 0 && <RequestPanel title="Requests to this token" rows={requests} />}
      </div>
      <Details token={token} />
    </div>
  );
}

function Details({ token }: { token: AnyToken }) {
  const { fingerprint, search_indexes = [], metadata } = token;
  const expression = `{{ ${token.id} }}`;
  const sameData = hrefTo(['tokens'], { query: `fingerprint:${fingerprint}` });
  return (
    <Panel title="Details" actions={<a href={hrefTo(['log'], { entity_id: token.id })}>Audit log</a>}>
      <Facts
        items={[
          ['Expression', <Command text={expression} what="the expression" />],
          ['Type', token.type],
          ['Containers', <Path value={token.containers.join(' ')} />],
          ['Metadata', metadata && <Metadata query="" metadata={metadata} />],
          ['Mask', token.mask !== undefined && <Json value={token.mask} label="Mask" />],
          ['Fingerprint', fingerprint && <Id value={fingerprint} href={sameData} />],
          ['Fingerprint of', token.fingerprint_expression && <code>{token.fingerprint_expression}</code>],
          ['Search indexes', search_indexes.length > 0 && <code>{search_indexes.join(' ')}</code>],
          ['Expires', token.expires_at && <Time value={token.expires_at} />],
          ['Created', <Time value={token.created_at} />],
          ['Modified', token.modified_at && <Time value={token.modified_at} />],
        ]}
      />
    </Panel>
  );
}
