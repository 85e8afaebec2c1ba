import { useState } from 'preact/hooks';
import type { AnyToken } from '../../../../src/contract/schemas/index.js';
import { callControl } from '../api/client.js';
import { Field } from '../components/form.js';
import { Page } from '../components/page.js';
import { type Column, Listing } from '../components/table.js';
import { Action, Id, Pairs, Path, Time } from '../components/text.js';
import { formatJson } from '../format.js';
import { useControl, useWorkbench } from '../hooks/emulator.js';
import { hrefTo, navigate, type ViewProps } from '../route.js';

const TOKEN_COLUMNS: readonly Column<AnyToken>[] = [
  ['ID', 'text', ({ id }) => <Id value={id} href={hrefTo(['tokens', id])} />],
  ['Type', 'fit', ({ type }) => type],
  ['Masked data', 'wide', ({ data }) => <MaskedData data={data} />],
  ['Containers', 'text', ({ containers }) => <Path value={containers.join(' ')} />],
  ['Metadata', 'wide', ({ metadata }) => <Pairs values={metadata} />],
  ['Created', 'fit', ({ created_at }) => <Time value={created_at} />],
];

function MaskedData({ data }: { data: unknown }) {
  if (data === undefined) return <span class="quiet">not shown: no mask</span>;
  return <code class="clamp">{JSON.stringify(data)}</code>;
}

export function Tokens({ route: { query: parameters } }: ViewProps) {
  const { tenant } = useWorkbench();
  const { query = '', page = '1' } = parameters;
  const tokens = useControl('tenants.tokens', { path: { id: tenant.id }, query: { query, page } });
  return (
    <Page
      title="Tokens"
      summary="Data is masked here. Looking at tokens is not recorded; revealing one is."
      actions={
        <>
          <a href="#/tokens/new">New token</a>
          <Action name="Export, masked" run={() => saveMasked(tenant.id, query)} />
        </>
      }
    >
      <Search key={query} query={query} />
      <Listing
        label="Tokens"
        chip="data masked"
        columns={TOKEN_COLUMNS}
        page={tokens}
        items={['token', 'tokens']}
        hrefOf={(next) => hrefTo(['tokens'], { query, page: next })}
        empty={query === '' ? NO_TOKENS : NO_MATCH}
      />
    </Page>
  );
}

const PAGE_SIZE = 100;

async function saveMasked(id: string, search: string): Promise<void> {
  const tokens: AnyToken[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const query = { query: search, page, size: PAGE_SIZE };
    const { data, pagination } = await callControl('tenants.tokens', { path: { id }, query });
    tokens.push(...data);
    last = pagination.total_pages;
  }
  const href = URL.createObjectURL(new Blob([formatJson(tokens)], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href, download: 'tokens-masked.json' }).click();
  URL.revokeObjectURL(href);
}

function Search({ query }: { query: string }) {
  const [text, setText] = useState(query);
  const search = (event: Event) => {
    event.preventDefault();
    navigate(['tokens'], { query: text.trim() });
  };
  return (
    <search>
      <form class="filters" onSubmit={search}>
        <Field
          label="Search with a Lucene query"
          kind="search"
          mono
          value={text}
          onChange={setText}
          placeholder="type:card AND metadata.order:1001"
        />
        <button type="submit">Search</button>
      </form>
    </search>
  );
}

const NO_MATCH = {
  title: 'No token matches the query.',
  children: (
    <>
      Fields are id, type, container, fingerprint, data (a search index), metadata.&lt;key&gt;, created_at,
      modified_at. <a href="#/tokens">Show all tokens.</a>
    </>
  ),
};

const NO_TOKENS = {
  command: `tokenctl token create --type token --data '"hello"'`,
  children: (
    <>
      <a href="#/tokens/new">Create one here</a>, on the command line, or let your application do it.
    </>
  ),
};
