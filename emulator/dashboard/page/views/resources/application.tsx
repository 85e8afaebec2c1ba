import type { ApplicationType } from '../../../../../src/contract/application-types.js';
import { PERMISSIONS, type Permission, permissionsOfType } from '../../../../../src/contract/permissions.js';
import { RESOURCES } from '../../../../../src/contract/resources.js';
import type { AccessRule, Application } from '../../../../../src/contract/schemas/index.js';
import { Rows } from '../../components/listing.js';
import { Panel } from '../../components/page.js';
import { RequestPanel } from '../../components/request-table.js';
import type { Column } from '../../components/table.js';
import { useRequests } from '../../hooks/events.js';
import { ApplicationKeys } from './application-keys.js';
import type { ResourcePage } from './resource-page.js';

const SAMPLE_RULE =
  '[{ "priority": 1, "container": "/pci/high/", "transform": "mask", "permissions": ["token:read"] }]';

export const applicationPage: ResourcePage<Application> = {
  row: RESOURCES.application,
  summary: 'Who calls the service: API keys and what they may do.',
  deletion:
    'Its keys stop working. This page stops working for the tenant if you delete a seeded application.',
  Detail: ({ item }) => (
    <>
      <Access application={item} />
      <ApplicationKeys id={item.id} />
      <RequestPanel
        title="Recent requests"
        requests={useRequests()
          .filter(({ application_id }) => application_id === item.id)
          .slice(0, 20)}
        empty={{ title: 'No recent request of this application.' }}
      />
    </>
  ),
  form: {
    type: { hint: 'It never changes. A key is created on the next page.' },
    rules: {
      hint: 'JSON, in place of permissions: priority, container, transform (redact, mask, reveal), permissions.',
      placeholder: SAMPLE_RULE,
      rows: 6,
    },
  },
  start: { type: 'private', permissions: ['token:create', 'token:read'] },
  // An application has either permissions or rules. The permissions of another type were chosen before the type.
  finish({ permissions, rules, ...rest }, isNew) {
    const allowed: readonly unknown[] = permissionsOfType(rest.type as ApplicationType);
    const chosen = (permissions as unknown[]).filter((name) => !isNew || allowed.includes(name));
    return { ...rest, ...(isNew && { create_key: false }), ...(rules ? { rules } : { permissions: chosen }) };
  },
};

const RULE_COLUMNS: readonly Column<AccessRule>[] = [
  { name: 'Priority', kind: 'number', cell: ({ priority }) => priority },
  { name: 'Container', kind: 'fit', cell: ({ container }) => <code>{container}</code> },
  { name: 'Data shown as', kind: 'fit', cell: ({ transform }) => transform },
  { name: 'Permissions', kind: 'wide', cell: ({ permissions }) => permissions.join(', ') },
  { name: 'Description', kind: 'wide', cell: ({ description }) => description },
];

const PERMISSION_COLUMNS: readonly Column<Permission>[] = [
  { name: 'Permission', kind: 'fit', cell: (name) => <code>{name}</code> },
  { name: 'Allows to', kind: 'wide', cell: (name) => PERMISSIONS[name].allows },
];

function Access({ application: { rules, permissions = [] } }: { application: Application }) {
  if (!rules)
    return (
      <Panel title="Permissions">
        <Rows
          title="Permissions"
          columns={PERMISSION_COLUMNS}
          rows={permissions}
          keyOf={(name) => name}
          empty={{ title: 'No permissions: the application may do nothing.' }}
        />
      </Panel>
    );
  return (
    <Panel title="Rules">
      <p class="quiet">
        Tried by ascending priority: the first one that covers a container of the token and grants the
        permission decides.
      </p>
      <Rows
        title="Rules"
        columns={RULE_COLUMNS}
        rows={rules.toSorted((a, b) => a.priority - b.priority)}
        keyOf={({ priority, container, transform }) => `${priority} ${container} ${transform}`}
        empty={{ title: 'No rules: the application may do nothing.' }}
      />
    </Panel>
  );
}
