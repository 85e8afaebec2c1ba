import type { Token } from '../../../../src/contract/schemas/index.js';
import { callControl } from '../api/control-client.js';
import { Action } from '../components/action.js';
import { Rows } from '../components/listing.js';
import { Panel } from '../components/page.js';
import { Loaded } from '../components/states.js';
import type { Column } from '../components/table.js';
import { Id, Time } from '../components/text.js';
import type { ClockControl } from '../hooks/clock.js';
import { changesData, useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useWorkbench } from '../hooks/workbench.js';
import { hrefTo } from '../route.js';

/** Tokens that are looked at, the newest. */
const LOOKED_AT = 100;
const SHOWN = 10;

type ExpiringToken = Token & { expires_at: string };
const expires = (token: Token): token is ExpiringToken => token.expires_at !== undefined;

/** The tokens that expire next, to go to the moment after. */
export function Expirations({ clock }: { clock: ClockControl }) {
  const { tenant } = useWorkbench();
  const tokens = useResource(
    () => callControl('tenants.tokens', { path: { id: tenant.id }, query: { size: LOOKED_AT } }),
    [],
  );
  useReloadOn(changesData, tokens.reload);
  const columns: readonly Column<ExpiringToken>[] = [
    { name: 'Token', kind: 'wide', cell: ({ id }) => <Id value={id} href={hrefTo(['tokens', id])} /> },
    { name: 'Expires', kind: 'fit', cell: ({ expires_at }) => <Time value={expires_at} /> },
    {
      name: 'Actions',
      kind: 'fit',
      cell: ({ id, expires_at }) => (
        <Action
          small
          name="Go there"
          label={`Go there: expiry of ${id}`}
          run={() => clock.change({ now: new Date(Date.parse(expires_at) + 1_000).toISOString() })}
        />
      ),
    },
  ];
  return (
    <Panel title="Expires next" chip={`of the newest ${LOOKED_AT}`}>
      <Loaded resource={tokens}>
        {({ data }) => (
          <Rows
            title="Expires next"
            columns={columns}
            rows={data
              .filter(expires)
              .sort((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at))
              .slice(0, SHOWN)}
            empty={{
              title: 'No token expires.',
              command: `tokenctl token create --type token --data '"soon"' --expires-at 2030-01-31T12:00:00Z`,
            }}
          />
        )}
      </Loaded>
    </Panel>
  );
}
