import type { ComponentChildren } from 'preact';
import { ConfirmButton } from '../../components/confirm-button.js';
import { Page } from '../../components/page.js';
import { HiddenValues, Loaded } from '../../components/states.js';
import { Id, None } from '../../components/text.js';
import { changesData, useReloadOn } from '../../hooks/events.js';
import { useResource } from '../../hooks/resource.js';
import { useWorkbench } from '../../hooks/workbench.js';
import { hrefTo, navigate, type ViewProps } from '../../route.js';
import { capitalize, type ResourcePage, useOperations } from './resource-page.js';

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
          {page.kind && loaded.value && `${page.kind(loaded.value)} `}
          <Id value={id} />
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
            {page.deletion}
          </ConfirmButton>
        </>
      }
    >
      <Loaded resource={loaded}>{(item) => <page.Detail item={item} />}</Loaded>
    </Page>
  );
}

type Fact = readonly [name: string, value: ComponentChildren];

/** Returns what code runs with: its configuration, and the application whose key it gets. */
export function runtimeFacts(item: {
  configuration: Readonly<Record<string, string>>;
  application?: { id: string } | undefined;
}): { configuration: Fact; application: Fact } {
  const { configuration, application } = item;
  const link = application && <Id value={application.id} href={hrefTo(['applications', application.id])} />;
  return {
    configuration: ['Configuration', <HiddenValues values={configuration} />],
    application: ['Application', link ?? <None />],
  };
}
