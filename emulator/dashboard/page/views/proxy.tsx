import { PROXY_PATH } from '../../../../src/contract/proxies.js';
import type { Proxy as ProxyObject } from '../../../../src/contract/schemas/index.js';
import { ConfirmButton } from '../components/confirm-button.js';
import { Page, Panel } from '../components/page.js';
import { HiddenValues, Loaded } from '../components/states.js';
import { Code, Command, Facts, Id, None, Time } from '../components/text.js';
import { changesData, useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useService, useWorkbench } from '../hooks/workbench.js';
import { hrefTo, navigate, type ViewProps } from '../route.js';

export function ProxyView({ route: { path } }: ViewProps) {
  const [, id = ''] = path;
  const service = useService();
  const { attempt } = useWorkbench();
  const proxy = useResource(() => service.read('proxies.get', { path: { id } }), [service, id]);
  useReloadOn(changesData, proxy.reload);
  const remove = async () => {
    if (await attempt(() => service.call('proxies.delete', { path: { id } }), 'The proxy is deleted.'))
      navigate(['proxies']);
  };
  return (
    <Page
      title={proxy.value?.name ?? 'Proxy'}
      parent={['Proxies', '#/proxies']}
      summary={<Id value={id} />}
      actions={
        <>
          <a class="button" href={hrefTo(['proxies', id, 'edit'])}>
            Edit
          </a>
          <ConfirmButton label="Delete …" question="Delete this proxy?" confirm="Delete" onConfirm={remove}>
            Requests with its key fail from then on.
          </ConfirmButton>
        </>
      }
    >
      <Loaded resource={proxy}>{(loaded) => <Definition proxy={loaded} />}</Loaded>
    </Page>
  );
}

function Definition({ proxy }: { proxy: ProxyObject }) {
  const { apiKey, proxyKey } = useService().headers;
  const { application, configuration, request_transform, response_transform } = proxy;
  const command = `curl ${location.origin}${PROXY_PATH} -H "${apiKey}: $PRIVATE_KEY" -H "${proxyKey}: ${proxy.key}"`;
  return (
    <>
      <Panel title="Definition">
        <Facts
          items={[
            ['Destination', <span class="mono wrap">{proxy.destination_url}</span>],
            ['Needs an API key', proxy.require_auth ? 'yes' : 'no'],
            [
              'Application',
              application ? (
                <Id value={application.id} href={hrefTo(['applications', application.id])} />
              ) : (
                <None />
              ),
            ],
            ['Configuration', <HiddenValues values={configuration} />],
            ['Created', <Time value={proxy.created_at} />],
            ['Call it', <Command text={command} />],
          ]}
        />
      </Panel>
      {request_transform && (
        <Panel title="Request transform">
          <Code text={request_transform.code} label="Request transform" numbered />
        </Panel>
      )}
      {response_transform && (
        <Panel title="Response transform">
          <Code text={response_transform.code} label="Response transform" numbered />
        </Panel>
      )}
    </>
  );
}
