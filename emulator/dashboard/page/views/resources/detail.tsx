import type { ComponentChildren } from 'preact';
import type { FieldKind } from '../../../../../src/contract/resources.js';
import { Action } from '../../components/action.js';
import { capitalize, labelOf } from '../../components/field-values.js';
import { Page, Panel } from '../../components/page.js';
import { HiddenValues, Loaded } from '../../components/states.js';
import { CopyButton, Facts, Id, Named, Time } from '../../components/text.js';
import { changesData, useReloadOn } from '../../hooks/events.js';
import { useResource } from '../../hooks/resource.js';
import { hrefTo, navigate, type ViewProps } from '../../route.js';
import { type Item, type ResourcePage, useOperations } from './resource-page.js';

/** The page of an object. */
export function ResourceDetail({ page, route: { path } }: ViewProps & { page: ResourcePage }) {
  const { noun, collection } = page.row;
  const [, id = ''] = path;
  const { service, get, remove } = useOperations(page);
  const loaded = useResource(() => get(id), [service, id]);
  useReloadOn(changesData, loaded.reload);
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
            run={async () => {
              await remove(id);
              navigate([collection]);
            }}
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
  return <Named id={(value as { id: string }).id} collection="applications" />;
}
