import { useState } from 'preact/hooks';
import { TOKEN_TYPE_NAMES, TOKEN_TYPES, type TokenType } from '../../../../src/contract/token-types.js';
import { Checkbox, Select, TextArea, TextField } from '../components/fields.js';
import { Form, parseJson } from '../components/form.js';
import { Page } from '../components/page.js';
import {
  EMPTY_DRAFT,
  parseLines,
  parseOptionalJson,
  parsePairs,
  parseWords,
  TokenFields,
} from '../components/token-fields.js';
import { formatJson } from '../format.js';
import { useService } from '../hooks/workbench.js';
import { navigate } from '../route.js';

export function TokenCreator() {
  const service = useService();
  const [type, setType] = useState<TokenType>('token');
  const [data, setData] = useState('');
  const [id, setId] = useState('');
  const [deduplicate, setDeduplicate] = useState(false);
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const { containers, data: rule } = TOKEN_TYPES[type];

  async function create() {
    const mask = parseOptionalJson('Mask', draft.mask);
    const token = await service.call('tokens.create', {
      body: {
        type,
        data: parseJson('Data', data),
        ...(id && { id }),
        ...(mask !== undefined && { mask }),
        ...(draft.containers && { containers: parseWords(draft.containers) }),
        ...(draft.metadata && { metadata: parsePairs('Metadata', draft.metadata) }),
        ...(draft.searchIndexes && { search_indexes: parseLines(draft.searchIndexes) }),
        ...(draft.fingerprintExpression && { fingerprint_expression: draft.fingerprintExpression }),
        ...(draft.expiresAt && { expires_at: draft.expiresAt }),
        ...(deduplicate && { deduplicate_token: true }),
      },
    });
    navigate(['tokens', token.id]);
  }

  return (
    <Page title="New token" parent={['Tokens', '#/tokens']}>
      <div class="panel form-panel">
        <Form
          label="New token"
          submit="Create token"
          onSubmit={create}
          actions={
            <a class="button" href="#/tokens">
              Cancel
            </a>
          }
        >
          <Select
            label="Type"
            value={type}
            options={TOKEN_TYPE_NAMES}
            onChange={(name) => setType(TOKEN_TYPE_NAMES.find((one) => one === name) ?? 'token')}
          />
          <TextArea
            label="Data"
            value={data}
            onChange={setData}
            hint={`JSON: ${rule}.`}
            placeholder={formatJson(TOKEN_SAMPLES[type])}
            required
          />
          <div class="row">
            <button type="button" class="small" onClick={() => setData(formatJson(TOKEN_SAMPLES[type]))}>
              Fill in sample data
            </button>
          </div>
          <details class="stack">
            <summary>More fields</summary>
            <div class="form">
              <TextField
                label="ID"
                mono
                value={id}
                onChange={setId}
                hint="A text, or an expression such as {{ data | alias_preserve_format: 0, 4 }}; a UUID by default."
              />
              <TokenFields
                draft={draft}
                onChange={(change) => setDraft({ ...draft, ...change })}
                containersHint={`Separated by spaces; ${containers.join(' ')} by default.`}
              />
              <Checkbox
                label="Return the existing token of the same fingerprint instead of creating a copy"
                checked={deduplicate}
                onChange={setDeduplicate}
              />
            </div>
          </details>
        </Form>
      </div>
    </Page>
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
