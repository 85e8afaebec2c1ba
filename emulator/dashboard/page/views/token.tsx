import { useState } from 'preact/hooks';
import type { Token } from '../../../../src/contract/schemas/index.js';
import { callControl, RequestError } from '../api/client.js';
import { Json } from '../components/code.js';
import { Loaded, Page, Panel } from '../components/page.js';
import { RequestPanel } from '../components/request-table.js';
import { Action, Command, Facts, Id, Pairs, Path, Time } from '../components/text.js';
import { useRequests, useResource, useWorkbench } from '../hooks/emulator.js';
import { hrefTo, navigate, type ViewProps } from '../route.js';

/** Loads a token with masked data. @throws RequestError 404 */
export async function loadToken(tenantId: string, id: string): Promise<Token> {
  const query = `id:${JSON.stringify(id)}`;
  const { data } = await callControl('tenants.tokens', { path: { id: tenantId }, query: { query } });
  if (data[0]) return data[0];
  throw new RequestError(404, 'There is no token with this ID in the tenant.');
}

export function TokenView({ route: { path } }: ViewProps) {
  const [, id = ''] = path;
  const { tenant, service } = useWorkbench();
  const token = useResource(() => loadToken(tenant.id, id), [id]);
  const requests = useRequests().filter((one) => one.path.includes(encodeURIComponent(id)));
  const actions = service && (
    <>
      <a href={hrefTo(['tokens', id, 'edit'])}>Edit</a>
      <Action
        name="Delete …"
        run={() => service.call('tokens.delete', { path: { id } }).then(() => navigate(['tokens']))}
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
            <div class="stack">
              <Data token={loaded} />
              {requests.length > 0 && (
                <RequestPanel title="Requests to this token" requests={requests} empty={{}} />
              )}
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
  const [revealed, setRevealed] = useState<{ data?: unknown } | undefined>();
  const reveal = async () => setRevealed(await service?.call('tokens.get', { path: { id: token.id } }));
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
          ['Metadata', token.metadata && <Pairs values={token.metadata} />],
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
