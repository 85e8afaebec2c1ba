import type { ComponentChildren } from 'preact';
import type { ServiceClient } from '../api/service-client.js';
import { useResource } from '../hooks/resource.js';
import { useService } from '../hooks/workbench.js';
import { hrefTo, navigate } from '../route.js';
import { Form } from './form.js';
import { Page } from './page.js';
import { Loaded } from './states.js';

/** What an editor creates and changes: `{ one: 'Proxy', many: 'Proxies', route: 'proxies' }`. */
interface Kind {
  one: string;
  many: string;
  route: string;
}

interface EditorPageProps<Draft> {
  kind: Kind;
  /** `new` for one that does not exist yet. */
  id: string;
  /** What a new one begins with. */
  start: Draft;
  load: (service: ServiceClient, id: string) => Promise<Draft>;
  /** @param id undefined for a new one */
  children: (draft: Draft, id: string | undefined) => ComponentChildren;
}

/** The view that creates an object, or loads and changes one. */
export function EditorPage<Draft>({ kind, id, start, load, children }: EditorPageProps<Draft>) {
  const isNew = id === 'new';
  const service = useService();
  const draft = useResource<Draft>(() => (isNew ? Promise.resolve(start) : load(service, id)), [service, id]);
  const parent = isNew
    ? ([kind.many, hrefTo([kind.route])] as const)
    : ([kind.one, hrefTo([kind.route, id])] as const);
  return (
    <Page title={`${isNew ? 'New' : 'Edit'} ${kind.one.toLowerCase()}`} parent={parent}>
      <Loaded resource={draft}>{(loaded) => children(loaded, isNew ? undefined : id)}</Loaded>
    </Page>
  );
}

interface EditorFormProps {
  kind: Kind;
  /** undefined for a new one. */
  id: string | undefined;
  /** Saves what was typed. The view of what it returns is shown then. */
  save: () => Promise<{ id: string }>;
  children: ComponentChildren;
}

/** The form of an editor. Leads to the view of the object when it is saved, and back when it is not. */
export function EditorForm({ kind, id, save, children }: EditorFormProps) {
  return (
    <Form
      label={kind.one}
      submit={id === undefined ? `Create ${kind.one.toLowerCase()}` : 'Save'}
      onSubmit={async () => navigate([kind.route, (await save()).id])}
      actions={
        <a class="button" href={hrefTo(id === undefined ? [kind.route] : [kind.route, id])}>
          Cancel
        </a>
      }
    >
      {children}
    </Form>
  );
}
