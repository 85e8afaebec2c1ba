import type { ComponentChildren } from 'preact';
import type { CellFormat, Resource } from '../../../../../src/contract/resources.js';
import type { AccessRule } from '../../../../../src/contract/schemas/index.js';
import { capitalize } from '../../components/field-values.js';
import { Page } from '../../components/page.js';
import { type Column, Listing } from '../../components/table.js';
import { Named, None, Path, Time } from '../../components/text.js';
import { formatNumber } from '../../format.js';
import { useResource } from '../../hooks/resource.js';
import { hrefTo, type ViewProps } from '../../route.js';
import { type Item, type ResourcePage, useOperations } from './resource-page.js';

const FORMATS: { readonly [F in CellFormat]?: (value: never, item: Item) => ComponentChildren } = {
  time: (value) => <Time value={value} />,
  modified: (value, { created_at }) => <Time value={value ?? created_at} />,
  application: (id) => <Named id={id} collection="applications" />,
  access: (permissions: readonly string[] | undefined, item) => (
    <span class="clamp">{(permissions ?? rulesOf(item)).join(', ')}</span>
  ),
  length: (text: string) => `${formatNumber(text.length)} characters`,
  names: (map: object) => Object.keys(map).join(', '),
  words: (words: readonly string[]) => words.join(', '),
};

const rulesOf = ({ rules = [] }: Item & { rules?: AccessRule[] }): string[] =>
  rules.map(({ container, transform }) => `${transform} on ${container}`);

const valueAt = (item: object, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], item);

/** The columns of a resource's row: its name, which leads to its page, and has its ID; and the others. */
function columnsOf({ collection, columns }: Resource): Column<Item>[] {
  const name: Column<Item> = [
    'Name',
    'wide',
    ({ id, name }) => (
      <a href={hrefTo([collection, id])} title={id}>
        {name}
      </a>
    ),
  ];
  const others = columns.filter(({ field }) => field !== 'id' && field !== 'name');
  return [
    name,
    ...others.map(({ title, field, format }): Column<Item> => {
      const show = format && FORMATS[format];
      const kind = format === undefined || format === 'access' || format === 'words' ? 'wide' : 'fit';
      const cell = (item: Item) => {
        const value = valueAt(item, field);
        if (show && (value !== undefined || format === 'modified' || format === 'access'))
          return show(value as never, item);
        return value === undefined ? <None /> : <Path value={value === true ? 'yes' : String(value)} />;
      };
      return [capitalize(title.toLowerCase()), kind, cell];
    }),
  ];
}

/** The list of a resource. */
export function ResourceList({ page, route: { query } }: ViewProps & { page: ResourcePage }) {
  const { noun, collection, about } = page.row;
  const { summary = about, columns = [], Below } = page;
  const { list } = useOperations(page);
  const { page: number = '1' } = query;
  const listed = useResource(() => list(number), [number]);
  return (
    <Page
      title={capitalize(collection)}
      summary={summary}
      actions={
        <a class="button primary" href={hrefTo([collection, 'new'])}>
          New {noun}
        </a>
      }
    >
      <Listing
        label={`${capitalize(collection)} of the tenant`}
        columns={[...columnsOf(page.row), ...columns]}
        page={listed}
        items={[noun, collection]}
        hrefOf={(next) => hrefTo([collection], { page: next })}
        empty={{ command: page.command ?? `tokenctl ${noun} create` }}
      />
      {Below && <Below />}
    </Page>
  );
}
