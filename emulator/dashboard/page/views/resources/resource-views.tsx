import type { ComponentChildren, ComponentType } from 'preact';
import type { CellFormat } from '../../../../../src/contract/resources.js';
import type { AccessRule } from '../../../../../src/contract/schemas/index.js';
import { Code } from '../../components/code.js';
import { capitalize, type FormKind, labelOf } from '../../components/field-values.js';
import { Form } from '../../components/form.js';
import { Page, Panel } from '../../components/page.js';
import { type Column, Listing } from '../../components/table.js';
import { Action, Command, type Fact, Facts, HiddenValues, Named, Path, Time } from '../../components/text.js';
import { formatJson, formatNumber } from '../../format.js';
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
function columnsOf({ collection, columns = [] }: ResourcePage['row']): Column<Item>[] {
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
        return value !== undefined && <Path value={value === true ? 'yes' : String(value)} />;
      };
      return [title === 'URL' ? title : capitalize(title.toLowerCase()), kind, cell];
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
        title={`${capitalize(collection)} of the tenant`}
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

/** The text of what is shown in a panel of its own. */
const CODES: { readonly [K in FormKind]?: (value: never) => string } = {
  code: String,
  transform: ({ code }: { code: string }) => code,
  json: formatJson,
};

/** The fields of an object: its code in panels of their own. */
export function Definition<I extends Item>({ page, item, more = [] }: DefinitionProps<I>) {
  const values = { ...item } as Readonly<Record<string, unknown>>;
  const fields = Object.entries(page.row.fields)
    .filter(([name, { kind }]) => name !== 'name' && kind !== 'rules' && !isEmpty(values[name]))
    .map(([name, { kind }]) => ({ label: labelOf(name, page.form?.[name]), kind, value: values[name] }));
  const facts = fields
    .filter(({ kind }) => !CODES[kind])
    .map(({ label, kind, value }): Fact => [label, <FieldValue kind={kind} value={value} />]);
  const times: Fact[] = [
    ['Created', <Time value={item.created_at} />],
    ['Modified', item.modified_at && <Time value={item.modified_at} />],
  ];
  return (
    <>
      <Panel title="Definition">
        <Facts items={[...facts, ...times, ...more]} />
      </Panel>
      {fields.map(({ label, kind, value }) => {
        const text = CODES[kind]?.(value as never);
        return (
          text && (
            <Panel key={label} title={label}>
              <Code text={text} label={label} />
            </Panel>
          )
        );
      })}
    </>
  );
}

const isEmpty = (value: unknown): boolean => value === undefined || JSON.stringify(value) === '{}';

function FieldValue({ kind, value }: { kind: FormKind; value: unknown }) {
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
  const load = async (): Promise<Record<string, unknown>> => {
    if (isNew) return page.start ?? {};
    const item = await get(id);
    return { ...(page.edited?.(item) ?? item) };
  };
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
          save={async (typed: Record<string, unknown>, before) => {
            const body = page.finish?.(typed, isNew, before) ?? typed;
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

type View = ComponentType<ViewProps>;

export function viewsOf(page: ResourcePage): (readonly [pattern: string, component: View])[] {
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
