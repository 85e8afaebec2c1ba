import { APPLICATION_TYPES } from '../../../../src/contract/application-types.js';
import type { Overview } from '../../../../src/contract/control/schemas.js';
import { callControl } from '../api/client.js';
import { Checkbox } from '../components/form.js';
import { Loaded, Page, Panel } from '../components/page.js';
import { Action, Command, HiddenValues } from '../components/text.js';
import { formatNumber } from '../format.js';
import { useClock } from '../hooks/clock.js';
import { useControl, useWorkbench } from '../hooks/emulator.js';
import { NewTenant } from './sign-in.js';

const SETTINGS = [
  ['fingerprint_tokens', 'Compute fingerprints of all tokens'],
  ['deduplicate_tokens', 'Return the existing token instead of creating a copy'],
] as const;

const RESET =
  'This deletes every token, reactor and application, removes all faults and resets the clock. The ID and the keys stay.';

/** The tenants and their keys are loaded when the page opens. */
const reloadPage = () => location.reload();

export function TenantView() {
  const { tenant, scope, isShared } = useWorkbench();
  const overview = useControl('overview', { query: { tenant: tenant.id } });
  return (
    <Page
      title="Tenant"
      summary={
        <>
          {tenant.name} <Command text={tenant.id} what="the ID" />
        </>
      }
      actions={
        <>
          <Action
            name="Reset …"
            run={() => callControl('reset', { tenant: scope })}
            success="It is as after its first start."
            ask={[`Reset ${tenant.name}?`, RESET]}
          />
          {isShared && (
            <Action
              name="Delete …"
              run={() => callControl('tenants.delete', { path: { id: tenant.id } }).then(reloadPage)}
              ask={[
                `Delete ${tenant.name}?`,
                'Everything in it goes, its snapshots included. Its keys get 401 from then on.',
              ]}
            />
          )}
        </>
      }
    >
      <div class="columns even">
        <Panel title="Usage" resource={overview}>
          {({ usage }) => <Usage report={usage} />}
        </Panel>
        <Panel title="Settings">
          <Loaded resource={overview}>
            {(loaded) => <Settings {...loaded.tenant} reload={overview.reload} />}
          </Loaded>
          <Keys />
        </Panel>
        <Panel title="New tenant">
          <NewTenant onCreated={reloadPage} />
        </Panel>
      </div>
    </Page>
  );
}

/** How many tokens will be active in a month, if as many become active each day. */
function forecast(active: number, now: Date): number {
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  return Math.round((active * (end - start)) / Math.max(now.getTime() - start, DAY_MS));
}

const DAY_MS = 86_400_000;

/** The active tokens of the month against those that the plan includes, and the tokens of each type. */
export function Usage({ report }: { report: Overview['usage'] }) {
  const { monthly_active_tokens: active, included_monthly_active_tokens: included, metrics_by_type } = report;
  const label = `${formatNumber(active)} of ${formatNumber(included)} included tokens active this month (UTC)`;
  const types = Object.entries(metrics_by_type).sort(([, a], [, b]) => b.count - a.count);
  const most = Math.max(1, ...types.map(([, { count }]) => count));
  const max = Math.max(included, active, 1);
  const { value: clock } = useClock();
  const expected = clock && forecast(active, new Date(clock.now));
  return (
    <div class="stack">
      <p>{label}</p>
      {expected !== undefined && (
        <p class="quiet">
          At this pace, {formatNumber(expected)} by the end of the month
          {expected > included && `: ${formatNumber(expected - included)} more than included`}.
        </p>
      )}
      <meter aria-label={label} max={max} high={included * 0.9} optimum={0} value={active} />
      <ul class="list">
        {types.map(([type, { count }]) => (
          <li key={type}>
            <span>{type}</span>
            <span>{formatNumber(count)}</span>
            <progress aria-label={`${count} tokens of type ${type}`} max={most} value={count} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Settings({ name, settings, reload }: Overview['tenant'] & { reload: () => void }) {
  const { service, attempt } = useWorkbench();
  const save = async (changed: Partial<typeof settings>) => {
    await service?.call('tenants.update', { body: { name, settings: changed } });
    reload();
  };
  return (
    <>
      {SETTINGS.map(([setting, label]) => (
        <Checkbox
          key={setting}
          label={label}
          checked={settings[setting] === 'true'}
          onChange={(isOn) =>
            attempt(() => save({ [setting]: isOn ? 'true' : 'false' }), 'The setting is saved.')
          }
        />
      ))}
    </>
  );
}

function Keys() {
  const { service } = useWorkbench();
  if (!service) return null;
  return (
    <>
      <h3>Keys of the seeded applications</h3>
      <HiddenValues values={service.keys} />
      {Object.keys(service.keys).length < APPLICATION_TYPES.length && (
        <p class="quiet">
          The others were deleted or have expired. A restart of the emulator creates new ones.
        </p>
      )}
    </>
  );
}
