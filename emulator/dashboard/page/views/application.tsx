import { PERMISSIONS } from '../../../../src/contract/permissions.js';
import type { AccessRule, Application } from '../../../../src/contract/schemas/index.js';
import { ConfirmButton } from '../components/confirm-button.js';
import { Page, Panel } from '../components/page.js';
import { RequestTable } from '../components/request-table.js';
import { EmptyState, Loaded } from '../components/states.js';
import { type Column, Table } from '../components/table.js';
import { Id, None, Time } from '../components/text.js';
import { changesData, useReloadOn, useRequests } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useService, useWorkbench } from '../hooks/workbench.js';
import { hrefTo, navigate, type ViewProps } from '../route.js';
import { ApplicationKeys } from './application-keys.js';

export function ApplicationView({ route: { path } }: ViewProps) {
  const [, id = ''] = path;
  const service = useService();
  const { attempt } = useWorkbench();
  const application = useResource(() => service.read('applications.get', { path: { id } }), [service, id]);
  useReloadOn(changesData, application.reload);
  const remove = async () => {
    if (
      await attempt(
        () => service.call('applications.delete', { path: { id } }),
        'The application is deleted.',
      )
    )
      navigate(['applications']);
  };
  return (
    <Page
      title={application.value?.name ?? 'Application'}
      parent={['Applications', '#/applications']}
      summary={
        <>
          {application.value?.type} <Id value={id} />
        </>
      }
      actions={
        <>
          <a class="button" href={hrefTo(['applications', id, 'edit'])}>
            Edit
          </a>
          <ConfirmButton
            label="Delete …"
            question="Delete this application?"
            confirm="Delete"
            onConfirm={remove}
          >
            Its keys stop working. This page stops working for the tenant if you delete a seeded application.
          </ConfirmButton>
        </>
      }
    >
      <Loaded resource={application}>
        {(loaded) => (
          <>
            <Access application={loaded} />
            <ApplicationKeys id={id} />
            <ApplicationRequests id={id} />
          </>
        )}
      </Loaded>
    </Page>
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
