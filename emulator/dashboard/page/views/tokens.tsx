import { useState } from 'preact/hooks';
import type { AnyToken } from '../../../../src/contract/schemas/index.js';
import { callControl, orIfGone } from '../api/client.js';
import { Checkbox, Names } from '../components/form.js';
import { Page } from '../components/page.js';
import { type Column, Listing, PAGE_SIZE, pageOf, sortRows } from '../components/table.js';
import { Action, Id, Path, Time } from '../components/text.js';
import { Filters, hrefToFiltered } from '../components/token-filters.js';
import { formatJson } from '../format.js';
import { useResource, useWorkbench } from '../hooks/emulator.js';
import { hrefTo, type ViewProps } from '../route.js';

/** The columns of the grid: what filters well is a link that adds its filter to the query. */
const columnsOf = (query: string): readonly Column<AnyToken>[] => [
  ['ID', 'text', ({ id }) => <Id value={id} href={hrefTo(['tokens', id])} />, 'id'],
  ['Type', 'text', ({ type }) => <a href={hrefToFiltered(query, 'type', type)}>{type}</a>, 'type'],
  ['Masked data', 'wide', ({ data }) => <MaskedData data={data} />],
  ['Containers', 'text', ({ containers }) => <Path value={containers.join(' ')} />, 'containers'],
  ['Metadata', 'wide', ({ metadata }) => <Metadata query={query} metadata={metadata} />, 'metadata'],
  ['Fingerprint', 'text', ({ fingerprint }) => fingerprint && <Id value={fingerprint} />, 'fingerprint'],
  ['Created', 'fit', ({ created_at }) => <Time value={created_at} />, 'created_at'],
  ['Modified', 'fit', ({ modified_at }) => <Time value={modified_at} />, 'modified_at'],
  ['Expires', 'fit', ({ expires_at }) => <Time value={expires_at} />, 'expires_at'],
];

const COLUMN_NAMES = columnsOf('').map(([name]) => name);
const FEW = COLUMN_NAMES.filter((name) => !['Fingerprint', 'Modified', 'Expires'].includes(name));
const COLUMNS_KEY = 'tokenctl.token_columns';

export const Metadata = ({ query, metadata = {} }: Pick<AnyToken, 'metadata'> & { query: string }) =>
  Object.entries(metadata).map(([name, value]) => (
    <div key={name}>
      <span class="quiet">{name}</span>{' '}
      <a href={hrefToFiltered(query, `metadata.${name}`, JSON.stringify(value))}>{value}</a>
    </div>
  ));

function MaskedData({ data }: { data: unknown }) {
  if (data === undefined) return <span class="quiet">not shown: no mask</span>;
  return <code class="clamp">{JSON.stringify(data)}</code>;
}

/** As many tokens are sorted, the newest of those that match. */
const MOST_SORTED = 1_000;

/** Loads the newest tokens that match a query, data masked. */
async function loadTokens(id: string, search: string, most: number): Promise<AnyToken[]> {
  const tokens: AnyToken[] = [];
  for (let page = 1; ; page += 1) {
    const query = { query: search, page, size: 100 };
    const { data, pagination } = await callControl('tenants.tokens', { path: { id }, query });
    tokens.push(...data);
    if (page >= pagination.total_pages || tokens.length >= most) return tokens;
  }
}

/** Loads a page of the tokens that match a query, the newest first or sorted. */
async function loadPage(id: string, query: string, page: number, sort: string) {
  if (sort === '')
    return callControl('tenants.tokens', { path: { id }, query: { query, page, size: PAGE_SIZE } });
  return pageOf(sortRows(await loadTokens(id, query, MOST_SORTED), columnsOf(query), sort), page);
}

export function Tokens({ route: { query: parameters } }: ViewProps) {
  const { tenant } = useWorkbench();
  const { query = '' } = parameters;
  const all = () => loadTokens(tenant.id, query, Number.POSITIVE_INFINITY);
  return (
    <Page
      title="Tokens"
      summary="Data is masked here. Looking at tokens is not recorded; revealing one is."
      actions={
        <>
          <a href="#/tokens/new">New token</a>
          <Action name="Export, masked" run={async () => save(await all())} />
        </>
      }
    >
      <Filters key={query} query={query} />
      <Grid key={JSON.stringify(parameters)} query={query} {...parameters} />
    </Page>
  );
}

function save(tokens: readonly AnyToken[]): void {
  const href = URL.createObjectURL(new Blob([formatJson(tokens)], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href, download: 'tokens-masked.json' }).click();
  URL.revokeObjectURL(href);
}

function Grid({ query, page = '1', sort = '' }: { query: string; page?: string; sort?: string }) {
  const { tenant } = useWorkbench();
  const tokens = useResource(() => loadPage(tenant.id, query, Number(page), sort), [query, page, sort]);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [shown, setShown] = useState<readonly string[]>(
    () => JSON.parse(localStorage.getItem(COLUMNS_KEY) ?? 'null') ?? FEW,
  );
  const show = (_: string, names: unknown) => {
    localStorage.setItem(COLUMNS_KEY, JSON.stringify(names));
    setShown(names as string[]);
  };
  const select: Column<AnyToken> = [
    'Select',
    'fit',
    ({ id }) => (
      <Checkbox
        label={<span class="visually-hidden">Select {id}</span>}
        checked={chosen.includes(id)}
        onChange={(isOn) => setChosen(isOn ? [...chosen, id] : chosen.filter((one) => one !== id))}
      />
    ),
  ];
  const isCut = sort !== '' && tokens.value?.pagination.total_items === MOST_SORTED;
  return (
    <Listing
      title="Tokens"
      chip={isCut ? 'data masked, the newest 1,000 sorted' : 'data masked'}
      columns={[select, ...columnsOf(query).filter(([name]) => shown.includes(name))]}
      page={tokens}
      items={['token', 'tokens']}
      hrefOf={(next) => hrefTo(['tokens'], { query, sort, page: next })}
      sort={{ by: sort, hrefOf: (by) => hrefTo(['tokens'], { query, sort: by }) }}
      above={
        <div class="head">
          <Selection rows={tokens.value?.data ?? []} chosen={chosen} choose={setChosen} />
          <details>
            <summary>Columns</summary>
            <Names name="columns" label="Shown" options={COLUMN_NAMES} input={shown} set={show} />
          </details>
        </div>
      }
      empty={query === '' ? NO_TOKENS : NO_MATCH}
    />
  );
}

interface SelectionProps {
  rows: readonly AnyToken[];
  chosen: readonly string[];
  choose: (ids: readonly string[]) => void;
}

/** What can be done with the tokens that are selected. */
function Selection({ rows, chosen, choose }: SelectionProps) {
  const { service } = useWorkbench();
  const tokens = rows.filter(({ id }) => chosen.includes(id));
  const count = tokens.length;
  const several = `${count} ${count === 1 ? 'token' : 'tokens'}`;
  const remove = async () => {
    for (const { id } of tokens)
      await orIfGone(service?.call('tokens.delete', { path: { id } }) ?? Promise.resolve(), undefined);
  };
  return (
    <div class="row">
      <Checkbox
        label="All on this page"
        checked={count > 0 && count === rows.length}
        onChange={(isOn) => choose(isOn ? rows.map(({ id }) => id) : [])}
      />
      {count > 0 && <Action small name={`Export ${several}, masked`} run={() => save(tokens)} />}
      {count > 0 && service && (
        <Action
          small
          name={`Delete ${several} …`}
          run={remove}
          success="The tokens are deleted."
          ask={[
            `Delete ${several}?`,
            'Their data is removed from the emulator. What refers to them fails from then on.',
          ]}
        />
      )}
    </div>
  );
}

const NO_MATCH = { title: 'No token matches the query.', children: <a href="#/tokens">Show all.</a> };
const NO_TOKENS = { command: `tokenctl token create --type token --data '"hello"'` };
