import type { Reactor } from '../../../../src/contract/schemas/index.js';
import { ConfirmButton } from '../components/confirm-button.js';
import { EventLines, isLineEvent } from '../components/event-lines.js';
import { Page, Panel } from '../components/page.js';
import { RequestTable } from '../components/request-table.js';
import { EmptyState, HiddenValues, Loaded } from '../components/states.js';
import { Code, Facts, Id, None, Time } from '../components/text.js';
import { changesData, useEvents, useReloadOn, useRequests } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useService, useWorkbench } from '../hooks/workbench.js';
import { hrefTo, navigate, type ViewProps } from '../route.js';
import { Invocation } from './invocation.js';

export function ReactorView({ route: { path } }: ViewProps) {
  const [, id = ''] = path;
  const service = useService();
  const { attempt } = useWorkbench();
  const reactor = useResource(() => service.read('reactors.get', { path: { id } }), [service, id]);
  useReloadOn(changesData, reactor.reload);
  const remove = async () => {
    if (await attempt(() => service.call('reactors.delete', { path: { id } }), 'The reactor is deleted.'))
      navigate(['reactors']);
  };
  return (
    <Page
      title={reactor.value?.name ?? 'Reactor'}
      parent={['Reactors', '#/reactors']}
      summary={<Id value={id} />}
      actions={
        <>
          <a class="button" href={hrefTo(['reactors', id, 'edit'])}>
            Edit
          </a>
          <ConfirmButton label="Delete …" question="Delete this reactor?" confirm="Delete" onConfirm={remove}>
            Requests that invoke it fail from then on.
          </ConfirmButton>
        </>
      }
    >
      <Loaded resource={reactor} lines={8}>
        {(loaded) => (
          <div class="columns even">
            <div class="stack-wide">
              <Invocation reactor={loaded} />
              <Activity id={id} />
            </div>
            <Definition reactor={loaded} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Definition({ reactor }: { reactor: Reactor }) {
  const { application, configuration, code, created_at, modified_at } = reactor;
  return (
    <Panel title="Code">
      <Code text={code} label={`Code of ${reactor.name}`} numbered />
      <Facts
        items={[
          ['Configuration', <HiddenValues values={configuration} />],
          [
            'Application',
            application ? (
              <Id value={application.id} href={hrefTo(['applications', application.id])} />
            ) : (
              <None />
            ),
          ],
          ['Created', <Time value={created_at} />],
          ['Modified', <Time value={modified_at} />],
        ]}
      />
    </Panel>
  );
}

function Activity({ id }: { id: string }) {
  const requests = useRequests().filter(({ path }) => path.startsWith(`/reactors/${id}/react`));
  const lines = useEvents().filter((event) => isLineEvent(event) && event.reactor_id === id);
  return (
    <>
      <Panel title="Recent invocations">
        {requests.length > 0 ? (
          <RequestTable requests={requests.slice(0, 10)} short />
        ) : (
          <EmptyState title="Not invoked yet." command={`tokenctl reactor react ${id} --args '{}'`} />
        )}
      </Panel>
      {lines.length > 0 && (
        <Panel title="Log">
          <EventLines events={lines} label="Log" />
        </Panel>
      )}
    </>
  );
}
