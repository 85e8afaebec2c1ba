import { useState } from 'preact/hooks';
import type { Proxy as ProxyObject } from '../../../../src/contract/schemas/index.js';
import { EditorForm, EditorPage } from '../components/editor.js';
import { ApplicationSelect, Checkbox, TextArea, TextField } from '../components/fields.js';
import { formatPairs, parsePairs } from '../components/token-fields.js';
import { useService } from '../hooks/workbench.js';
import type { ViewProps } from '../route.js';

type Draft = Omit<ProxyObject, 'id' | 'tenant_id' | 'key'>;

const KIND = { one: 'Proxy', many: 'Proxies', route: 'proxies' };

const NEW: Draft = { name: '', destination_url: '', configuration: {}, require_auth: true };

/** Creates a proxy, or changes one. */
export function ProxyEditor({ route: { path } }: ViewProps) {
  const [, id = ''] = path;
  return (
    <EditorPage<Draft>
      kind={KIND}
      id={id}
      start={NEW}
      load={(service, id) => service.read('proxies.get', { path: { id } })}
    >
      {(loaded, id) => <Editor id={id} proxy={loaded} />}
    </EditorPage>
  );
}

const transformOf = (code: string) => (code.trim() === '' ? null : { code });

function Editor({ id, proxy }: { id: string | undefined; proxy: Draft }) {
  const service = useService();
  const [name, setName] = useState(proxy.name);
  const [url, setUrl] = useState(proxy.destination_url);
  const [requestCode, setRequestCode] = useState(proxy.request_transform?.code ?? '');
  const [responseCode, setResponseCode] = useState(proxy.response_transform?.code ?? '');
  const [configuration, setConfiguration] = useState(formatPairs(proxy.configuration));
  const [application, setApplication] = useState(proxy.application?.id ?? '');
  const [requireAuth, setRequireAuth] = useState(proxy.require_auth);

  async function save() {
    const body = {
      name,
      destination_url: url,
      request_transform: transformOf(requestCode),
      response_transform: transformOf(responseCode),
      configuration: parsePairs('Configuration', configuration),
      application: application ? { id: application } : null,
      require_auth: requireAuth,
    };
    return id === undefined
      ? service.call('proxies.create', { body })
      : service.call('proxies.replace', { path: { id }, body });
  }

  return (
    <div class="panel form-panel">
      <EditorForm kind={KIND} id={id} save={save}>
        <TextField label="Name" value={name} onChange={setName} required />
        <TextField
          label="Destination URL"
          type="url"
          value={url}
          onChange={setUrl}
          hint="https, or http to loopback. The path below /proxy is appended."
          required
        />
        <TextArea
          label="Request transform"
          value={requestCode}
          onChange={setRequestCode}
          hint="Code, optional."
        />
        <TextArea
          label="Response transform"
          value={responseCode}
          onChange={setResponseCode}
          hint="Code, optional."
        />
        <TextArea
          label="Configuration"
          rows={3}
          value={configuration}
          onChange={setConfiguration}
          hint="One NAME=value per line. Shown here because you edit it."
        />
        <ApplicationSelect
          value={application}
          onChange={setApplication}
          hint="Requests without an API key detokenize with its permissions."
        />
        <Checkbox label="Requests need an API key" checked={requireAuth} onChange={setRequireAuth} />
      </EditorForm>
    </div>
  );
}
