import { useState } from 'preact/hooks';
import type { OperationInput, Token } from '../../../../src/contract/schemas/index.js';
import { loadToken } from '../api/service-client.js';
import { TextArea } from '../components/fields.js';
import { Form, parseJson } from '../components/form.js';
import { Page } from '../components/page.js';
import { Loaded } from '../components/states.js';
import {
  formatPairs,
  parseLines,
  parseOptionalJson,
  parsePairs,
  parseWords,
  type TokenDraft,
  TokenFields,
} from '../components/token-fields.js';
import { formatJson } from '../format.js';
import { useResource } from '../hooks/resource.js';
import { useService, useWorkbench } from '../hooks/workbench.js';
import { hrefTo, navigate, type ViewProps } from '../route.js';

type Patch = OperationInput<'tokens.update'>['body'];

export function TokenEditor({ route: { path } }: ViewProps) {
  const [, id = ''] = path;
  const { tenant } = useWorkbench();
  const token = useResource(() => loadToken(tenant.id, id), [id]);
  return (
    <Page title="Edit token" parent={['Token', hrefTo(['tokens', id])]}>
      <Loaded resource={token}>{(loaded) => <Editor token={loaded} />}</Loaded>
    </Page>
  );
}

function draftOf(token: Token): TokenDraft {
  return {
    containers: token.containers.join(' '),
    metadata: formatPairs(token.metadata),
    mask: token.mask === undefined ? '' : formatJson(token.mask),
    searchIndexes: (token.search_indexes ?? []).join('\n'),
    fingerprintExpression: token.fingerprint_expression ?? '',
    expiresAt: token.expires_at ?? '',
  };
}

/** Builds the merge patch of what was changed. A field that was emptied is removed. */
function patchOf(token: Token, draft: TokenDraft, data: string): Patch {
  const before = draftOf(token);
  const changed = (name: keyof TokenDraft) => draft[name].trim() !== before[name].trim();
  const metadata = parsePairs('Metadata', draft.metadata);
  const removed = Object.keys(token.metadata ?? {}).filter((name) => !Object.hasOwn(metadata, name));
  return {
    ...(data.trim() !== '' && { data: parseJson('Data', data) }),
    ...(changed('containers') && { containers: parseWords(draft.containers) }),
    ...(changed('metadata') && {
      metadata: { ...metadata, ...Object.fromEntries(removed.map((name) => [name, null])) },
    }),
    ...(changed('mask') && { mask: parseOptionalJson('Mask', draft.mask) ?? null }),
    ...(changed('searchIndexes') && { search_indexes: parseLines(draft.searchIndexes) }),
    ...(changed('fingerprintExpression') && {
      fingerprint_expression: draft.fingerprintExpression.trim() || null,
    }),
    ...(changed('expiresAt') && { expires_at: draft.expiresAt.trim() || null }),
  };
}

function Editor({ token }: { token: Token }) {
  const service = useService();
  const [draft, setDraft] = useState(() => draftOf(token));
  const [data, setData] = useState('');
  const save = async () => {
    await service.call('tokens.update', { path: { id: token.id }, body: patchOf(token, draft, data) });
    navigate(['tokens', token.id]);
  };
  return (
    <div class="panel form-panel">
      <Form
        label="Edit token"
        submit="Save"
        onSubmit={save}
        actions={
          <a class="button" href={hrefTo(['tokens', token.id])}>
            Cancel
          </a>
        }
      >
        <TextArea
          label="Data"
          rows={4}
          value={data}
          onChange={setData}
          hint="A JSON merge patch (RFC 7386). Empty: the data stays. It is not loaded here."
          placeholder={token.type === 'card' ? '{ "expiration_year": 2034 }' : ''}
        />
        <TokenFields
          draft={draft}
          onChange={(change) => setDraft({ ...draft, ...change })}
          containersHint="Separated by spaces."
        />
      </Form>
    </div>
  );
}
