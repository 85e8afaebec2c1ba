import type { FieldKind } from '../../../../../src/contract/resources.js';
import { capitalize, labelOf } from '../../components/field-values.js';
import { Form } from '../../components/form.js';
import { Loaded, Page, Panel } from '../../components/page.js';
import {
  Action,
  CopyButton,
  type Fact,
  Facts,
  HiddenValues,
  Id,
  Named,
  Time,
} from '../../components/text.js';
import { useResource } from '../../hooks/resource.js';
import { hrefTo, navigate, type ViewProps } from '../../route.js';
import { formFields, type Item, type ResourcePage, useOperations } from './resource-page.js';

/** The page of an object. */
export function ResourceDetail({ page, route: { path } }: ViewProps & { page: ResourcePage }) {
  const { noun, collection } = page.row;
  const [, id = ''] = path;
  const { get, remove } = useOperations(page);
  const loaded = useResource(() => get(id), [id]);
  return (
    <Page
      title={loaded.value?.name ?? capitalize(noun)}
      parent={[capitalize(collection), hrefTo([collection])]}
      summary={
        <>
          <Id value={id} /> <CopyButton text={id} label="the ID" />
        </>
      }
      actions={
        <>
          <a class="button" href={hrefTo([collection, id, 'edit'])}>
            Edit
          </a>
          <Action
            name="Delete …"
            run={() => remove(id).then(() => navigate([collection]))}
            success={`The ${noun} is deleted.`}
            ask={[`Delete this ${noun}?`, page.deletion ?? page.row.deletion ?? '']}
          />
        </>
      }
    >
      <Loaded resource={loaded}>
        {(item) => <>{page.Detail ? <page.Detail item={item} /> : <Definition page={page} item={item} />}</>}
      </Loaded>
    </Page>
  );
}

interface DefinitionProps<I extends Item> {
  page: ResourcePage<I>;
  item: I;
  /** Follows the fields. */
  more?: readonly Fact[];
}

/** The fields of an object. */
export const Definition = <I extends Item>(props: DefinitionProps<I>) => (
  <Panel title="Definition">
    <FieldFacts {...props} />
  </Panel>
);

const APART: readonly FieldKind[] = ['code', 'transform', 'rules'];

/** The fields of an object but its name and code, and when it was made. */
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
  if (kind !== 'application') return <span class="mono wrap">{String(value)}</span>;
  return <Named id={(value as { id: string }).id} collection="applications" />;
}

/** Creates an object, or loads and changes one. Leads to its page when it is saved, and back when it is not. */
export function ResourceEditor({ page, route: { path } }: ViewProps & { page: ResourcePage }) {
  const { noun, collection } = page.row;
  const [, id = ''] = path;
  const isNew = id === 'new';
  const { get, save } = useOperations(page);
  const load = async (): Promise<Record<string, unknown>> =>
    isNew ? (page.start ?? {}) : { ...(await get(id)) };
  const loaded = useResource(load, [id], () => false);
  const above = hrefTo(isNew ? [collection] : [collection, id]);
  return (
    <Page title={`${isNew ? 'New' : 'Edit'} ${noun}`} parent={[capitalize(isNew ? collection : noun), above]}>
      <Loaded resource={loaded}>
        {(values) => (
          <div class="panel form-panel">
            <Form
              label={capitalize(noun)}
              submit={isNew ? `Create ${noun}` : 'Save'}
              fields={({ type = values.type }) => formFields(page, isNew, type)}
              values={values}
              save={async (typed: Record<string, unknown>) => {
                const body = page.finish?.(typed, isNew) ?? typed;
                const item = await save(isNew ? undefined : id, body);
                navigate([collection, item.id]);
              }}
              cancel={above}
              withJson
            />
          </div>
        )}
      </Loaded>
    </Page>
  );
}
