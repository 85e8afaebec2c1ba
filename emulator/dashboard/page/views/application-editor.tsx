import { useState } from 'preact/hooks';
import {
  APPLICATION_TYPES,
  type ApplicationType,
  permissionsOfType,
} from '../../../../src/contract/permissions.js';
import type { AccessRule, Application } from '../../../../src/contract/schemas/index.js';
import { EditorForm, EditorPage } from '../components/editor.js';
import { Checkbox, Select, TextArea, TextField } from '../components/fields.js';
import { parseJson } from '../components/form.js';
import { formatJson } from '../format.js';
import { useService } from '../hooks/workbench.js';
import type { ViewProps } from '../route.js';

type Draft = Pick<Application, 'name' | 'type' | 'permissions' | 'rules'>;

const KIND = { one: 'Application', many: 'Applications', route: 'applications' };

const NEW: Draft = { name: '', type: 'private', permissions: ['token:create', 'token:read'] };

const SAMPLE_RULES: AccessRule[] = [
  {
    description: 'Cards, masked',
    priority: 1,
    container: '/pci/high/',
    transform: 'mask',
    permissions: ['token:read', 'token:search'],
  },
];

/** Creates an application, or changes one. */
export function ApplicationEditor({ route: { path } }: ViewProps) {
  const [, id = ''] = path;
  return (
    <EditorPage<Draft>
      kind={KIND}
      id={id}
      start={NEW}
      load={(service, id) => service.read('applications.get', { path: { id } })}
    >
      {(loaded, id) => <Editor id={id} application={loaded} />}
    </EditorPage>
  );
}

function Editor({ id, application }: { id: string | undefined; application: Draft }) {
  const service = useService();
  const [name, setName] = useState(application.name);
  const [type, setType] = useState<ApplicationType>(application.type);
  const [kind, setKind] = useState(application.rules ? 'rules' : 'permissions');
  const [permissions, setPermissions] = useState(application.permissions ?? []);
  const [rules, setRules] = useState(formatJson(application.rules ?? SAMPLE_RULES));
  const allowed = permissionsOfType(type);

  async function save() {
    const access =
      kind === 'rules'
        ? // The service validates the rules.
          { rules: parseJson('Rules', rules) as AccessRule[] }
        : { permissions: permissions.filter((one) => allowed.includes(one)) };
    return id === undefined
      ? service.call('applications.create', { body: { name, type, create_key: false, ...access } })
      : service.call('applications.update', { path: { id }, body: { name, ...access } });
  }

  return (
    <div class="panel form-panel">
      <EditorForm kind={KIND} id={id} save={save}>
        <TextField label="Name" value={name} onChange={setName} required />
        {id === undefined && (
          <Select
            label="Type"
            value={type}
            options={APPLICATION_TYPES}
            hint="It never changes. A key is created on the next page."
            onChange={(value) => setType(APPLICATION_TYPES.find((one) => one === value) ?? 'private')}
          />
        )}
        <Select
          label="Access by"
          value={kind}
          options={[
            ['permissions', 'permissions on everything'],
            ['rules', 'rules for containers'],
          ]}
          onChange={setKind}
        />
        {kind === 'rules' ? (
          <TextArea
            label="Rules"
            rows={12}
            value={rules}
            onChange={setRules}
            hint="JSON: priority, container, transform (redact, mask, reveal), permissions."
          />
        ) : (
          <fieldset>
            <legend>Permissions</legend>
            <div class="checks">
              {allowed.map((one) => (
                <Checkbox
                  key={one}
                  label={one}
                  checked={permissions.includes(one)}
                  onChange={(isChosen) =>
                    setPermissions(
                      isChosen ? [...permissions, one] : permissions.filter((other) => other !== one),
                    )
                  }
                />
              ))}
            </div>
          </fieldset>
        )}
      </EditorForm>
    </div>
  );
}
