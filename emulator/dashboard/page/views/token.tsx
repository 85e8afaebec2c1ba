import type { AnyToken } from '../../../../src/contract/schemas/index.js';
import { callControl, RequestError } from '../api/client.js';
import { Json, MaskedJson } from '../components/code.js';
import { Page, Panel } from '../components/page.js';
import { RequestPanel } from '../components/requests.js';
import { Action, Command, Facts, Id, Pairs, Path, Time } from '../components/text.js';
import { useRequests, useResource, useWorkbench } from '../hooks/emulator.js';
import { hrefTo, navigate, type ViewProps } from '../route.js';

/** Loads a token with masked data. @throws RequestError 404 */
export async function loadToken(tenantId: string, id: string): Promise<AnyToken> {
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
    <Page
      title="Token"
      summary={<Id value={id} />}
      parent={['Tokens', '#/tokens']}
      actions={actions}
      resource={token}
    >
      {(loaded) => (
        <div class="columns">
          <div class="stack">
            <Panel title="Data">
              <MaskedJson
                masked={loaded.data}
                label="Data"
                reveal={service && (async () => (await service.call('tokens.get', { path: { id } })).data)}
                note="Revealing reads the token with the private key; the audit log records it."
              />
            </Panel>
            {requests.length > 0 && <RequestPanel title="Requests to this token" requests={requests} />}
          </div>
          <Details token={loaded} />
        </div>
      )}
    </Page>
  );
}

function Details({ token }: { token: AnyToken }) {
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
