import { useState } from 'preact/hooks';
import type { Token } from '../../../../src/contract/schemas/index.js';
import { loadToken } from '../api/service-client.js';
import { Action } from '../components/action.js';
import { Json } from '../components/json.js';
import { Page, Panel } from '../components/page.js';
import { RequestPanel } from '../components/request-table.js';
import { Loaded } from '../components/states.js';
import { Command, Facts, Id, Path, Time } from '../components/text.js';
import { Metadata } from '../components/token-table.js';
import { changesData, useReloadOn, useRequests } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useWorkbench } from '../hooks/workbench.js';
import { hrefTo, navigate, type ViewProps } from '../route.js';

export function TokenView({ route: { path } }: ViewProps) {
  const [, id = ''] = path;
  const { tenant, service } = useWorkbench();
  const token = useResource(() => loadToken(tenant.id, id), [id]);
  useReloadOn(changesData, token.reload);
  const remove = async () => {
    await service?.call('tokens.delete', { path: { id } });
    navigate(['tokens']);
  };
  const actions = service && (
    <>
      <a class="button" href={hrefTo(['tokens', id, 'edit'])}>
        Edit
      </a>
      <Action
        name="Delete …"
        run={remove}
        success="The token is deleted."
        ask={[
          'Delete this token?',
          'Its data is removed from the emulator. What refers to the token, such as the arguments of a reactor, fails from then on.',
        ]}
      />
    </>
  );
  return (
    <Page title="Token" summary={<Id value={id} />} parent={['Tokens', '#/tokens']} actions={actions}>
      <Loaded resource={token} lines={8}>
        {(loaded) => (
          <div class="columns">
            <div class="stack-wide">
              <Data token={loaded} />
              <TokenRequests id={id} />
            </div>
            <Details token={loaded} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** The masked data, and in its place what it masks once the user asks for it. */
function Data({ token }: { token: Token }) {
  const { service } = useWorkbench();
  const [revealed, setRevealed] = useState<{ data: unknown } | undefined>();
  const reveal = async () => {
    const { data } = (await service?.call('tokens.get', { path: { id: token.id } })) ?? {};
    setRevealed({ data });
  };
  const { data } = revealed ?? token;
  return (
    <Panel title="Data" chip={revealed ? 'revealed' : 'masked'}>
      {data === undefined ? (
        <p class="quiet">The token has no mask, so that nothing of its data is shown.</p>
      ) : (
        <Json value={data} label={revealed ? 'Data' : 'Masked data'} />
      )}
      {service && (
        <div class="row">
          {revealed ? (
            <Action name="Mask again" run={() => setRevealed(undefined)} />
          ) : (
            <Action name="Reveal data" run={reveal} />
          )}
          <small class="quiet">
            Revealing reads the token with the private key; the audit log records it.
          </small>
        </div>
      )}
    </Panel>
  );
}

function Details({ token }: { token: Token }) {
  const { fingerprint, search_indexes = [] } = token;
  const expression = `{{ ${token.id} }}`;
  const sameData = hrefTo(['tokens'], { query: `fingerprint:${fingerprint}` });
  return (
    <Panel title="Details" actions={<a href={hrefTo(['log'], { entity_id: token.id })}>Audit log</a>}>
      <Facts
        items={[
          ['ID', <Command text={token.id} what="the ID" />],
          ['Expression', <Command text={expression} what="the expression" />],
          ['Type', token.type],
          ['Containers', <Path value={token.containers.join(' ')} />],
          ['Metadata', token.metadata && <Metadata values={token.metadata} />],
          ['Mask', token.mask !== undefined && <Json value={token.mask} label="Mask" />],
          ['Fingerprint', fingerprint && <Id value={fingerprint} href={sameData} />],
          ['Fingerprint of', token.fingerprint_expression && <code>{token.fingerprint_expression}</code>],
          ['Search indexes', search_indexes.length > 0 && <code>{search_indexes.join(' ')}</code>],
          ['Expires', token.expires_at && <Time value={token.expires_at} />],
          ['Created', <Time value={token.created_at} />],
          ['Modified', token.modified_at && <Time value={token.modified_at} />],
        ]}
      />
    </Panel>
  );
}

function TokenRequests({ id }: { id: string }) {
  const requests = useRequests().filter(({ path }) => path.includes(encodeURIComponent(id)));
  if (requests.length === 0) return null;
  return <RequestPanel title="Requests to this token" requests={requests} empty={{ title: 'None.' }} />;
}
