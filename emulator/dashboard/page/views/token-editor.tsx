import { useState } from 'preact/hooks';
import type { OperationInput } from '../../../../src/contract/schemas/index.js';
import { TOKEN_TYPE_NAMES, type TokenType } from '../../../../src/contract/token-types.js';
import { bodyOf, type FormFields, inputsOf, patchOf } from '../components/field-values.js';
import { Form } from '../components/form.js';
import { Page } from '../components/page.js';
import { Action } from '../components/text.js';
import { formatJson } from '../format.js';
import { useResource, useService, useWorkbench } from '../hooks/emulator.js';
import { hrefTo, navigate, type ViewProps } from '../route.js';
import { loadToken } from './token.js';

const FIELDS: FormFields = {
  containers: { kind: 'words', mono: true, hint: 'Separated by spaces; those of the type by default.' },
  metadata: {
    kind: 'map',
    hint: 'One name=value per line. Not encrypted, shown as it is: never token data.',
    placeholder: 'order=1001',
  },
  mask: {
    kind: 'json',
    rows: 4,
    hint: 'JSON; try it in Expressions.',
    placeholder: '"{{ data | reveal_last: 4 }}"',
  },
  search_indexes: {
    kind: 'lines',
    hint: 'One expression per line. A search for data:… finds their values.',
    placeholder: '{{ data.email }}',
  },
  fingerprint_expression: { kind: 'text', hint: 'The whole data by default.' },
  expires_at: { kind: 'text', hint: 'ISO 8601, for example 2030-01-31T12:00:00Z; never by default.' },
};

const NEW_FIELDS: FormFields = {
  type: { kind: 'text', options: TOKEN_TYPE_NAMES },
  data: { kind: 'json', required: true, hint: 'JSON, as the type allows it.' },
  id: {
    kind: 'text',
    label: 'ID',
    hint: 'A text, or an expression such as {{ data | alias_preserve_format: 0, 4 }}; a UUID by default.',
  },
  ...FIELDS,
  deduplicate_token: {
    kind: 'boolean',
    label: 'Return the existing token of the same fingerprint instead of creating a copy',
  },
};

const EDIT_FIELDS: FormFields = {
  data: {
    kind: 'json',
    rows: 4,
    hint: 'A JSON merge patch (RFC 7386). Empty: the data stays. It is not loaded here.',
  },
  ...FIELDS,
};

export function TokenCreator() {
  const service = useService();
  return (
    <Page title="New token" parent={['Tokens', '#/tokens']}>
      <Form
        class="panel"
        label="New token"
        submit="Create token"
        fields={NEW_FIELDS}
        values={{ type: 'token' }}
        save={async (body: OperationInput<'tokens.create'>['body']) => {
          const { id } = await service.call('tokens.create', { body });
          navigate(['tokens', id]);
        }}
        cancel="#/tokens"
        withJson
        extra={(inputs, set) => (
          <div class="row">
            <Action
              small
              name="Fill in sample data"
              run={() => set('data', formatJson(TOKEN_SAMPLES[inputs.type as TokenType]))}
            />
          </div>
        )}
      />
    </Page>
  );
}

export function TokenEditor({ route: { path } }: ViewProps) {
  const [, id = ''] = path;
  const { tenant } = useWorkbench();
  const load = async () => ({ ...(await loadToken(tenant.id, id)), data: undefined });
  const loaded = useResource(load, [id], () => false);
  return (
    <Page title="Edit token" parent={['Token', hrefTo(['tokens', id])]} resource={loaded}>
      {(token) => <TokenForm token={token} id={id} />}
    </Page>
  );
}

function TokenForm({ token, id }: { token: Record<string, unknown>; id: string }) {
  const service = useService();
  // It may be loaded again while the form is open: the patch is from what the form began with.
  const [before] = useState(() => bodyOf(EDIT_FIELDS, inputsOf(EDIT_FIELDS, token)));
  return (
    <Form
      class="panel"
      label="Edit token"
      submit="Save"
      fields={EDIT_FIELDS}
      values={token}
      save={async (after: Record<string, unknown>) => {
        const body = patchOf(before, after, ['metadata']);
        await service.call('tokens.update', { path: { id }, body });
        navigate(['tokens', id]);
      }}
      cancel={hrefTo(['tokens', id])}
      withJson
    />
  );
}

/** Valid data of each type: test numbers, which no person has. */
export const TOKEN_SAMPLES: Readonly<Record<TokenType, unknown>> = {
  token: { name: 'Ada Lovelace', email: 'ada@example.com' },
  card: { number: '4242424242424242', expiration_month: 12, expiration_year: 2032, cvc: '123' },
  bank: { routing_number: '021000021', account_number: '1234567890' },
  card_number: '4242424242424242',
  us_bank_account_number: '1234567890',
  us_bank_routing_number: '021000021',
  social_security_number: '123-45-6789',
  employer_id_number: '12-3456789',
};
