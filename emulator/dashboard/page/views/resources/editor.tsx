import { Editor } from '../../components/editor.js';
import { capitalize } from '../../components/field-values.js';
import { Page } from '../../components/page.js';
import { Loaded } from '../../components/states.js';
import { useResource } from '../../hooks/resource.js';
import { hrefTo, navigate, type ViewProps } from '../../route.js';
import { formFields, type ResourcePage, useOperations } from './resource-page.js';

/** Creates an object, or loads and changes one. Leads to its page when it is saved, and back when it is not. */
export function ResourceEditor({ page, route: { path } }: ViewProps & { page: ResourcePage }) {
  const { noun, collection } = page.row;
  const [, id = ''] = path;
  const isNew = id === 'new';
  const { service, get, create, replace } = useOperations(page);
  const loaded = useResource(
    async () => (isNew ? (page.start ?? {}) : { ...(await get(id)) }),
    [service, id],
  );
  const above = isNew ? [collection] : [collection, id];
  async function save(typed: Record<string, unknown>) {
    const body = page.finish?.(typed, isNew) ?? typed;
    const item = isNew ? await create(body) : await replace(id, body);
    navigate([collection, item.id]);
  }
  return (
    <Page
      title={`${isNew ? 'New' : 'Edit'} ${noun}`}
      parent={[capitalize(isNew ? collection : noun), hrefTo(above)]}
    >
      <Loaded resource={loaded}>
        {(values) => (
          <div class="panel form-panel">
            <Editor
              label={capitalize(noun)}
              submit={isNew ? `Create ${noun}` : 'Save'}
              fields={formFields(page, isNew)}
              values={values}
              save={save}
              cancel={hrefTo(above)}
            />
          </div>
        )}
      </Loaded>
    </Page>
  );
}
