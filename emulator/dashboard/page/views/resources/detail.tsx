import type { ComponentChildren } from 'preact';
import type { FieldKind } from '../../../../../src/contract/resources.js';
import { ConfirmButton } from '../../components/confirm-button.js';
import { capitalize, labelOf } from '../../components/field-values.js';
import { Page, Panel } from '../../components/page.js';
import { HiddenValues, Loaded } from '../../components/states.js';
import { CopyButton, Facts, Id, Time } from '../../components/text.js';
import { changesData, useReloadOn } from '../../hooks/events.js';
import { useResource } from '../../hooks/resource.js';
import { useWorkbench } from '../../hooks/workbench.js';
import { hrefTo, navigate, type ViewProps } from '../../route.js';
import { type Item, type ResourcePage, useOperations } from './resource-page.js';

/** The page of an object. */
export function ResourceDetail({ page, route: { path } }: ViewProps & { page: ResourcePage }) {
  const { noun, collection } = page.row;
  const [, id = ''] = path;
  const { service, get, remove } = useOperations(page);
  const { attempt } = useWorkbench();
  const loaded = useResource(() => get(id), [service, id]);
  useReloadOn(changesData, loaded.reload);
  const onDelete = async () => {
    if (await attempt(() => remove(id), `The ${noun} is deleted.`)) navigate([collection]);
  };
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
          <ConfirmButton
            label="Delete …"
            question={`Delete this ${noun}?`}
            confirm="Delete"
            onConfirm={onDelete}
          >
            {page.deletion ?? page.row.deletion}
          </ConfirmButton>
        </>
      }
    >
      <Loaded resource={loaded}>
        {(item) => <>{page.Detail ? <page.Detail item={item} /> : <Definition page={page} item={item} />}</>}
      </Loaded>
    </Page>
  );
}

/** The fields of an object. */
export function Definition<I extends Item>(props: {
  page: ResourcePage<I>;
  item: I;
  more?: readonly Fact[];
}) {
  return (
    <Panel title="Definition">
      <FieldFacts {...props} />
    </Panel>
  );
}

type Fact = readonly [name: string, value: ComponentChildren];

/** The fields of an object but its name and code, and when it was made. @param more follows them */
export function FieldFacts<I extends Item>(props: {
  page: ResourcePage<I>;
  item: I;
  more?: readonly Fact[];
}) {
  const { page, item, more = [] } = props;
  const values = { ...item } as Readonly<Record<string, unknown>>;
  const facts = Object.entries(page.row.fields).flatMap(([name, { kind }]): Fact[] =>
    name === 'name' || kind === 'code' || kind === 'transform' || kind === 'rules'
      ? []
      : [
          [
            labelOf(name, page.form?.[name] ?? {}),
            values[name] !== undefined && <FieldValue kind={kind} value={values[name]} />,
          ],
        ],
  );
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
  const { id } = value as { id: string };
  return <Id value={id} href={hrefTo(['applications', id])} />;
}
