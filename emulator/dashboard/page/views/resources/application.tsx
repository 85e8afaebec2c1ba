import { useState } from 'preact/hooks';
import type { ApplicationType } from '../../../../../src/contract/application-types.js';
import { permissionsOfType } from '../../../../../src/contract/permissions.js';
import { RESOURCES } from '../../../../../src/contract/resources.js';
import type { AccessRule, Application, ApplicationKey } from '../../../../../src/contract/schemas/index.js';
import { RULE_COLUMNS } from '../../components/decisions.js';
import { RequestPanel } from '../../components/requests.js';
import { type Column, TablePanel } from '../../components/table.js';
import { Action, Command, Id, Time } from '../../components/text.js';
import { useRequests, useResource, useService } from '../../hooks/emulator.js';
import type { ResourcePage } from './resource-page.js';
import { Definition } from './resource-views.js';

const SAMPLE_RULE =
  '[{ "priority": 1, "container": "/pci/high/", "transform": "mask", "permissions": ["token:read"] }]';

export const applicationPage: ResourcePage<Application> = {
  row: RESOURCES.application,
  deletion:
    'Its keys stop working. This page stops working for the tenant if you delete a seeded application.',
  Detail: ({ item }) => (
    <>
      <Definition page={applicationPage} item={item} />
      {item.rules && <Rules rules={item.rules} />}
      <Keys id={item.id} />
      <RequestPanel
        title="Requests"
        rows={useRequests().filter(({ application_id }) => application_id === item.id)}
      />
    </>
  ),
  form: {
    type: { hint: 'It never changes. A key is created on the next page.' },
    rules: {
      hint: 'JSON, in place of permissions: priority, container, transform (redact, mask, reveal), permissions.',
      placeholder: SAMPLE_RULE,
    },
  },
  formOf: (type) => ({ permissions: { options: permissionsOfType(type as ApplicationType) } }),
  start: { type: 'private', permissions: ['token:create', 'token:read'] },
  // An application has either permissions or rules. The permissions of another type were chosen before the type.
  finish({ permissions, rules, ...rest }, isNew) {
    const allowed: readonly unknown[] = permissionsOfType(rest.type as ApplicationType);
    const chosen = (permissions as unknown[]).filter((name) => !isNew || allowed.includes(name));
    return { ...rest, ...(isNew && { create_key: false }), ...(rules ? { rules } : { permissions: chosen }) };
  },
};

const DESCRIPTION: Column<AccessRule> = ['Description', 'wide', ({ description }) => description];

const Rules = ({ rules }: { rules: readonly AccessRule[] }) => (
  <TablePanel
    title="Rules"
    above={<p class="quiet">The first that covers a container and grants the permission decides.</p>}
    columns={[...RULE_COLUMNS, DESCRIPTION]}
    rows={rules.toSorted((a, b) => a.priority - b.priority)}
    empty={{ title: 'No rules: the application may do nothing.' }}
  />
);

const KEY_COLUMNS: readonly Column<ApplicationKey>[] = [
  ['Key ID', 'wide', (key) => <Id value={key.id} />],
  ['Created', 'fit', ({ created_at }) => <Time value={created_at} />],
  ['Expires', 'fit', ({ expires_at }) => <Time value={expires_at} />],
];

/** The keys of an application. A new one is shown once. */
function Keys({ id }: { id: string }) {
  const service = useService();
  const keys = useResource(() => service.read('applications.keys.list', { path: { id } }), [id]);
  const [created, setCreated] = useState<string | undefined>();
  const create = async () =>
    setCreated((await service.call('applications.keys.create', { path: { id }, body: {} })).key);
  return (
    <TablePanel
      title="Keys"
      links={<Action name="New key" run={create} />}
      above={
        created && (
          <p role="status">
            The new key, shown this once: <Command text={created} what="the key" />
          </p>
        )
      }
      resource={keys}
      columns={KEY_COLUMNS}
      actions={(key) => (
        <Action
          name="Delete …"
          run={() => service.call('applications.keys.delete', { path: { id, key_id: key.id } })}
          success="The key is deleted."
          ask={['Delete this key?', 'Requests with it get 401 from then on.']}
        />
      )}
      rows={keys.value}
    />
  );
}
