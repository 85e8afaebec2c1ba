import { useState } from 'preact/hooks';
import type { Reactor } from '../../../../src/contract/schemas/index.js';
import { EditorForm, EditorPage } from '../components/editor.js';
import { ApplicationSelect, TextArea, TextField } from '../components/fields.js';
import { formatPairs, parsePairs } from '../components/token-fields.js';
import { useService } from '../hooks/workbench.js';
import type { ViewProps } from '../route.js';

const SAMPLE = `module.exports = async ({ args, configuration, svc }) => {
  console.log('invoked with', Object.keys(args));
  return { raw: { ok: true } };
};
`;

type Draft = Pick<Reactor, 'name' | 'code' | 'configuration' | 'application'>;

const KIND = { one: 'Reactor', many: 'Reactors', route: 'reactors' };

const NEW: Draft = { name: '', code: SAMPLE, configuration: {} };

/** Creates a reactor, or changes one. */
export function ReactorEditor({ route: { path } }: ViewProps) {
  const [, id = ''] = path;
  return (
    <EditorPage<Draft>
      kind={KIND}
      id={id}
      start={NEW}
      load={(service, id) => service.read('reactors.get', { path: { id } })}
    >
      {(loaded, id) => <Editor id={id} reactor={loaded} />}
    </EditorPage>
  );
}

function Editor({ id, reactor }: { id: string | undefined; reactor: Draft }) {
  const service = useService();
  const [name, setName] = useState(reactor.name);
  const [code, setCode] = useState(reactor.code);
  const [configuration, setConfiguration] = useState(formatPairs(reactor.configuration));
  const [application, setApplication] = useState(reactor.application?.id ?? '');

  async function save() {
    const body = {
      name,
      code,
      configuration: parsePairs('Configuration', configuration),
      ...(application && { application: { id: application } }),
    };
    return id === undefined
      ? service.call('reactors.create', { body })
      : service.call('reactors.replace', { path: { id }, body });
  }

  return (
    <div class="panel">
      <EditorForm kind={KIND} id={id} save={save}>
        <TextField label="Name" value={name} onChange={setName} required />
        <TextArea
          label="Code"
          rows={18}
          value={code}
          onChange={setCode}
          hint="CommonJS or an ES module, at most 50,000 characters. Ctrl+Enter saves."
          required
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
          hint="Code calls the service with its permissions, through svc."
        />
      </EditorForm>
    </div>
  );
}
