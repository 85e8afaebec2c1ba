import { useState } from 'preact/hooks';
import { Form } from '../../components/form.js';
import { Page } from '../../components/page.js';
import { Loaded } from '../../components/states.js';
import { useResource } from '../../hooks/resource.js';
import { hrefTo, navigate, type ViewProps } from '../../route.js';
import { bodyOf, FormFields, inputsOf } from './form-fields.js';
import { capitalize, type Inputs, type Item, type ResourcePage, useOperations } from './resource-page.js';

/** Creates an object, or loads and changes one. */
export function ResourceEditor({ page, route: { path } }: ViewProps & { page: ResourcePage }) {
  const { noun, collection } = page.row;
  const [, id = ''] = path;
  const isNew = id === 'new';
  const { service, get } = useOperations(page);
  const loaded = useResource(async () => ({ item: isNew ? undefined : await get(id) }), [service, id]);
  const parent = isNew
    ? ([capitalize(collection), hrefTo([collection])] as const)
    : ([capitalize(noun), hrefTo([collection, id])] as const);
  return (
    <Page title={`${isNew ? 'New' : 'Edit'} ${noun}`} parent={parent}>
      <Loaded resource={loaded}>{({ item }) => <EditorForm page={page} item={item} />}</Loaded>
    </Page>
  );
}

interface EditorFormProps {
  page: ResourcePage;
  /** undefined for a new one. */
  item: Item | undefined;
}

/** The form of an editor. Leads to the page of the object when it is saved, and back when it is not. */
function EditorForm({ page, item }: EditorFormProps) {
  const { noun, collection, fields } = page.row;
  const { create, replace } = useOperations(page);
  const [inputs, setInputs] = useState<Inputs>(() => inputsOf(page, item && { ...item }));
  const isNew = item === undefined;
  async function save() {
    const body = bodyOf(page, inputs, isNew);
    const { id } = isNew ? await create(body) : await replace(item.id, body);
    navigate([collection, id]);
  }
  const hasCode = Object.values(fields).some(({ kind }) => kind === 'code');
  return (
    <div class={hasCode ? 'panel' : 'panel form-panel'}>
      <Form
        label={capitalize(noun)}
        submit={isNew ? `Create ${noun}` : 'Save'}
        onSubmit={save}
        actions={
          <a class="button" href={hrefTo(isNew ? [collection] : [collection, item.id])}>
            Cancel
          </a>
        }
      >
        <FormFields
          form={page}
          inputs={inputs}
          set={(name, value) => setInputs((others) => ({ ...others, [name]: value }))}
          isNew={isNew}
        />
      </Form>
    </div>
  );
}
