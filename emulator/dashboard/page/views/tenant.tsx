import { useState } from 'preact/hooks';
import { APPLICATION_TYPES } from '../../../../src/contract/application-types.js';
import { callControl } from '../api/control-client.js';
import { Action } from '../components/action.js';
import { Checkbox, TextField } from '../components/fields.js';
import { Form } from '../components/form.js';
import { ScopeSwitch } from '../components/header.js';
import { Page, Panel } from '../components/page.js';
import { HiddenValues, Loaded } from '../components/states.js';
import { CopyButton, Id } from '../components/text.js';
import { Usage } from '../components/usage.js';
import { changesData, useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useWorkbench } from '../hooks/workbench.js';
import { TenantTransfer } from './tenant-transfer.js';

const SETTINGS = [
  ['fingerprint_tokens', 'Compute fingerprints of all tokens'],
  ['deduplicate_tokens', 'Return the existing token instead of creating a copy'],
] as const;

const RESET_ALL = [
  'Reset the emulator?',
  'This deletes every token, reactor and application of all tenants, removes all faults and resets the clock. The first tenant keeps its ID and keys.',
] as const;
const RESET_TENANT =
  'This deletes every token, reactor and application of the tenant, removes its faults and resets its clock. Its ID and keys stay.';

/** The tenants and their keys are loaded when the page opens. */
const reloadPage = () => location.reload();

/** The tenant: settings, keys, usage, import and export. */
export function TenantView() {
  const { tenant, service, attempt, scope, isShared } = useWorkbench();
  const overview = useResource(() => callControl('overview', { query: { tenant: tenant.id } }), []);
  useReloadOn(changesData, overview.reload);
  return (
    <Page
      title="Tenant"
      summary={
        <span class="row">
          {tenant.name} <Id value={tenant.id} />
          <CopyButton text={tenant.id} label="the ID" />
        </span>
      }
      actions={
        <>
          <ScopeSwitch />
          <Action
            name="Reset …"
            run={() => callControl('reset', { tenant: scope })}
            success="It is as after its first start."
            ask={scope === undefined ? RESET_ALL : [`Reset ${tenant.name}?`, RESET_TENANT]}
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
        <Panel title="Usage">
          <Loaded resource={overview}>{({ usage }) => <Usage report={usage} />}</Loaded>
        </Panel>
        <Panel title="Settings">
          <Loaded resource={overview}>
            {(loaded) => (
              <>
                {SETTINGS.map(([name, label]) => (
                  <Checkbox
                    key={name}
                    label={label}
                    checked={loaded.tenant.settings[name] === 'true'}
                    onChange={(isOn) =>
                      attempt(async () => {
                        const settings = { [name]: isOn ? 'true' : 'false' } as const;
                        await service?.call('tenants.update', { body: { name: tenant.name, settings } });
                        overview.reload();
                      }, 'The setting is saved.')
                    }
                  />
                ))}
              </>
            )}
          </Loaded>
          {service && (
            <>
              <h3>Keys of the seeded applications</h3>
              <HiddenValues values={service.keys} />
              {Object.keys(service.keys).length < APPLICATION_TYPES.length && (
                <p class="quiet">
                  The others were deleted or have expired. A restart of the emulator creates new ones.
                </p>
              )}
            </>
          )}
        </Panel>
        <TenantTransfer />
        <NewTenant />
      </div>
    </Page>
  );
}

function NewTenant() {
  const { attempt } = useWorkbench();
  const [name, setName] = useState('');
  const create = () =>
    attempt(async () => {
      await callControl('tenants.create', { body: { name } });
      reloadPage();
    });
  return (
    <Panel title="New tenant">
      <Form label="New tenant" submit="Create tenant" onSubmit={create}>
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          hint="A separate world of tokens, reactors, applications and keys."
          required
        />
      </Form>
    </Panel>
  );
}
