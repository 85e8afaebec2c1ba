import type { ApplicationType } from '../../../../../src/contract/application-types.js';
import { PERMISSIONS, permissionsOfType } from '../../../../../src/contract/permissions.js';
import { RESOURCES } from '../../../../../src/contract/resources.js';
import type { AccessRule, Application } from '../../../../../src/contract/schemas/index.js';
import { CheckboxGroup, Select, TextArea } from '../../components/fields.js';
import { parseJson } from '../../components/form.js';
import { Panel } from '../../components/page.js';
import { RequestTable } from '../../components/request-table.js';
import { EmptyState } from '../../components/states.js';
import { type Column, Table } from '../../components/table.js';
import { None, Time } from '../../components/text.js';
import { formatJson } from '../../format.js';
import { useRequests } from '../../hooks/events.js';
import { ApplicationKeys } from './application-keys.js';
import { changedColumn, idColumn, nameColumn } from './list.js';
import type { Inputs, ResourcePage, SetInput } from './resource-page.js';

const SAMPLE_RULES: AccessRule[] = [
  {
    description: 'Cards, masked',
    priority: 1,
    container: '/pci/high/',
    transform: 'mask',
    permissions: ['token:read', 'token:search'],
  },
];

export const applicationPage: ResourcePage<Application> = {
  row: RESOURCES.application,
  summary: 'Who calls the service: API keys and what they may do.',
  columns: [
    nameColumn('applications'),
    { name: 'Type', kind: 'fit', cell: ({ type }) => type },
    { name: 'Access', kind: 'fit', cell: accessSummary },
    idColumn,
    changedColumn,
  ],
  deletion:
    'Its keys stop working. This page stops working for the tenant if you delete a seeded application.',
  kind: ({ type }) => type,
  Detail: ({ item }) => (
    <>
      <Access application={item} />
      <ApplicationKeys id={item.id} />
      <ApplicationRequests id={item.id} />
    </>
  ),
  form: {
    name: {},
    type: { hint: 'It never changes. A key is created on the next page.' },
  },
  start: { type: 'private', permissions: ['token:create', 'token:read'] },
  special: {
    inputsOf: ({ type = 'private', permissions = [], rules }) => ({
      type,
      access: rules ? 'rules' : 'permissions',
      permissions,
      rules: formatJson(rules ?? SAMPLE_RULES),
    }),
    Fields: AccessFields,
    bodyOf: (inputs, isNew) => ({
      ...(isNew && { create_key: false }),
      ...(inputs.access === 'rules'
        ? // The service validates the rules.
          { rules: parseJson('Rules', String(inputs.rules)) }
        : {
            permissions: chosenPermissions(inputs).filter((one) => allowedPermissions(inputs).includes(one)),
          }),
    }),
  },
};

function accessSummary({ permissions, rules }: Application): string {
  if (rules) return rules.length === 1 ? '1 rule' : `${rules.length} rules`;
  const count = permissions?.length ?? 0;
  return count === 1 ? '1 permission' : `${count} permissions`;
}

const allowedPermissions = ({ type }: Inputs): readonly string[] =>
  permissionsOfType(type as ApplicationType);

const chosenPermissions = ({ permissions }: Inputs) => permissions as readonly string[];

/** Chooses between permissions and rules: an application has one of them. */
function AccessFields({ inputs, set }: { inputs: Inputs; set: SetInput }) {
  return (
    <>
      <Select
        label="Access by"
        value={String(inputs.access)}
        options={[
          ['permissions', 'permissions on everything'],
          ['rules', 'rules for containers'],
        ]}
        onChange={(access) => set('access', access)}
      />
      {inputs.access === 'rules' ? (
        <TextArea
          label="Rules"
          rows={12}
          value={String(inputs.rules)}
          onChange={(rules) => set('rules', rules)}
          hint="JSON: priority, container, transform (redact, mask, reveal), permissions."
        />
      ) : (
        <CheckboxGroup
          label="Permissions"
          options={allowedPermissions(inputs)}
          chosen={chosenPermissions(inputs)}
          onChange={(permissions) => set('permissions', permissions)}
        />
      )}
    </>
  );
}

const RULE_COLUMNS: readonly Column<AccessRule>[] = [
  { name: 'Priority', kind: 'number', cell: ({ priority }) => priority },
  { name: 'Container', kind: 'fit', cell: ({ container }) => <code>{container}</code> },
  { name: 'Data shown as', kind: 'fit', cell: ({ transform }) => transform },
  { name: 'Permissions', kind: 'wide', cell: ({ permissions }) => permissions.join(', ') },
  { name: 'Description', kind: 'wide', cell: ({ description }) => description ?? <None /> },
];

function Access({ application: { rules, permissions = [] } }: { application: Application }) {
  if (rules)
    return (
      <Panel title="Rules">
        <p class="quiet">
          Tried by ascending priority: the first one that covers a container of the token and grants the
          permission decides.
        </p>
        {rules.length > 0 ? (
          <Table
            label="Rules"
            columns={RULE_COLUMNS}
            rows={rules.toSorted((a, b) => a.priority - b.priority)}
            keyOf={({ priority, container, transform }) => `${priority} ${container} ${transform}`}
          />
        ) : (
          <EmptyState title="No rules: the application may do nothing." />
        )}
      </Panel>
    );
  return (
    <Panel title="Permissions">
      <Table
        label="Permissions"
        columns={[
          { name: 'Permission', kind: 'fit', cell: (name) => <code>{name}</code> },
          { name: 'Allows to', kind: 'wide', cell: (name) => PERMISSIONS[name].allows },
        ]}
        rows={permissions}
        keyOf={(name) => name}
      />
    </Panel>
  );
}

function ApplicationRequests({ id }: { id: string }) {
  const requests = useRequests().filter(({ application_id }) => application_id === id);
  return (
    <Panel title="Recent requests">
      {requests.length > 0 ? (
        <RequestTable requests={requests.slice(0, 20)} short />
      ) : (
        <EmptyState title="No recent request of this application.">
          <Time value={undefined} />
        </EmptyState>
      )}
    </Panel>
  );
}
