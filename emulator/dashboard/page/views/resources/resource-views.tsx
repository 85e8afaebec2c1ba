import type { ComponentChildren, ComponentType } from 'preact';
import type { CellFormat, FieldKind, Resource } from '../../../../../src/contract/resources.js';
import type { AccessRule } from '../../../../../src/contract/schemas/index.js';
import { capitalize, labelOf } from '../../components/field-values.js';
import { Form } from '../../components/form.js';
import { Page, Panel } from '../../components/page.js';
import { type Column, Listing } from '../../components/table.js';
import { Action, Command, type Fact, Facts, HiddenValues, Named, Path, Time } from '../../components/text.js';
import { formatNumber } from '../../format.js';
import { useResource } from '../../hooks/emulator.js';
import { hrefTo, navigate, type ViewProps } from '../../route.js';
import { formFields, type Item, type ResourcePage, useOperations } from './resource-page.js';

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
  const others = columns.filter(({ field }) => field !== 'id' && field !== 'name');
  return [
    ['Name', 'wide', ({ id, name }) => <Named id={id} name={name} collection={collection} />],
    ...others.map(({ title, field, format }): Column<Item> => {
      const show = format && FORMATS[format];
      const kind = format === undefined || format === 'access' || format === 'words' ? 'wide' : 'fit';
      const cell = (item: Item) => {
        const value = valueAt(item, field);
        if (show && (value !== undefined || format === 'modified' || format === 'access'))
          return show(value as never, item);
        if (value === undefined) return <Path value={value} />;
        return <Path value={value === true ? 'yes' : String(value)} />;
      };
      return [capitalize(title.toLowerCase()), kind, cell];
    }),
  ];
}

function ResourceList({ page, route: { query } }: ViewProps & { page: ResourcePage }) {
  const { noun, collection, about } = page.row;
  const { columns = [], Below } = page;
  const { list } = useOperations(page);
  const { page: number = '1' } = query;
  const listed = useResource(() => list(number), [number]);
  return (
    <Page
      title={capitalize(collection)}
      summary={about}
      actions={<a href={hrefTo([collection, 'new'])}>New {noun}</a>}
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

function ResourceDetail({ page, route: { path } }: ViewProps & { page: ResourcePage }) {
  const { noun, collection } = page.row;
  const [, id = ''] = path;
  const { get, remove } = useOperations(page);
  const loaded = useResource(() => get(id), [id]);
  return (
    <Page
      title={loaded.value?.name ?? capitalize(noun)}
      parent={[capitalize(collection), hrefTo([collection])]}
      summary={<Command text={id} what="the ID" />}
      actions={
        <>
          <a href={hrefTo([collection, id, 'edit'])}>Edit</a>
          <Action
            name="Delete …"
            run={() => remove(id).then(() => navigate([collection]))}
            success={`The ${noun} is deleted.`}
            ask={[`Delete this ${noun}?`, page.deletion ?? page.row.deletion ?? '']}
          />
        </>
      }
      resource={loaded}
    >
      {(item) => <>{page.Detail ? <page.Detail item={item} /> : <Definition page={page} item={item} />}</>}
    </Page>
  );
}

interface DefinitionProps<I extends Item> {
  page: ResourcePage<I>;
  item: I;
  more?: readonly Fact[];
}

export const Definition = <I extends Item>(props: DefinitionProps<I>) => (
  <Panel title="Definition">
    <FieldFacts {...props} />
  </Panel>
);

const APART: readonly FieldKind[] = ['code', 'transform', 'rules', 'json'];

export function FieldFacts<I extends Item>({ page, item, more = [] }: DefinitionProps<I>) {
  const values = { ...item } as Readonly<Record<string, unknown>>;
  const facts = Object.entries(page.row.fields)
    .filter(([name, { kind }]) => name !== 'name' && !APART.includes(kind) && values[name] !== undefined)
    .map(([name, { kind }]): Fact => {
      const value = <FieldValue kind={kind} value={values[name]} />;
      return [labelOf(name, page.form?.[name]), value];
    });
  const times: Fact[] = [
    ['Created', <Time value={item.created_at} />],
    ['Modified', item.modified_at && <Time value={item.modified_at} />],
  ];
  return <Facts items={[...facts, ...times, ...more]} />;
}

function FieldValue({ kind, value }: { kind: FieldKind; value: unknown }) {
  if (kind === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (kind === 'map') return <HiddenValues values={value as Readonly<Record<string, string>>} />;
  if (kind === 'names') return <>{(value as readonly string[]).join(', ')}</>;
  if (kind !== 'application') return <span class="mono">{String(value)}</span>;
  return <Named id={(value as { id: string }).id} collection="applications" />;
}

/** Creates an object, or loads and changes one. Leads to its page when it is saved, and back when it is not. */
function ResourceEditor({ page, route: { path } }: ViewProps & { page: ResourcePage }) {
  const { noun, collection } = page.row;
  const [, id = ''] = path;
  const isNew = id === 'new';
  const { get, create, replace } = useOperations(page);
  const load = async (): Promise<Record<string, unknown>> =>
    isNew ? (page.start ?? {}) : { ...(await get(id)) };
  const loaded = useResource(load, [id], () => false);
  const above = hrefTo(isNew ? [collection] : [collection, id]);
  return (
    <Page
      title={`${isNew ? 'New' : 'Edit'} ${noun}`}
      parent={[capitalize(isNew ? collection : noun), above]}
      resource={loaded}
    >
      {(values) => (
        <Form
          class="panel"
          label={capitalize(noun)}
          submit={isNew ? `Create ${noun}` : 'Save'}
          fields={({ type = values.type }) => formFields(page, isNew, type)}
          values={values}
          save={async (typed: Record<string, unknown>) => {
            const body = page.finish?.(typed, isNew) ?? typed;
            const item = await (isNew ? create(body) : replace(id, body));
            navigate([collection, item.id]);
          }}
          cancel={above}
          withJson
        />
      )}
    </Page>
  );
}

export function viewsOf(
  page: ResourcePage,
): (readonly [pattern: string, component: ComponentType<ViewProps>])[] {
  const { collection } = page.row;
  const List = (props: ViewProps) => <ResourceList page={page} {...props} />;
  const Editor = (props: ViewProps) => <ResourceEditor page={page} {...props} />;
  const Detail = (props: ViewProps) => <ResourceDetail page={page} {...props} />;
  return [
    [collection, List],
    [`${collection}/new`, Editor],
    [`${collection}/{id}`, Detail],
    [`${collection}/{id}/edit`, Editor],
  ];
}
