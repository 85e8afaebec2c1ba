import { callControl } from '../api/client.js';
import type { FormFields } from '../components/field-values.js';
import { FormPanel } from '../components/form.js';
import { Loaded, Page, Panel } from '../components/page.js';
import { Action, Command } from '../components/text.js';
import { useControl, useWorkbench } from '../hooks/emulator.js';
import { NewTenant } from './sign-in.js';

const RESET =
  'This deletes every token, reactor and application, removes all faults and resets the clock. The ID and the keys stay.';
const DELETE = 'Everything in it goes, its snapshots included. Its keys get 401 from then on.';

/** The tenants and their keys are loaded when the page opens. */
const reloadPage = () => location.reload();

export function TenantView() {
  const { tenant, service, scope, isShared } = useWorkbench();
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
              ask={[`Delete ${tenant.name}?`, DELETE]}
            />
          )}
        </>
      }
    >
      <div class="columns even">
        {service && (
          <Loaded resource={overview}>
            {({ tenant: { name, settings } }) => (
              <FormPanel
                label="Settings"
                submit="Save"
                fields={SETTINGS}
                values={settings}
                save={(body: typeof settings) =>
                  service.call('tenants.update', { body: { name, settings: body } })
                }
              />
            )}
          </Loaded>
        )}
        <Panel title="New tenant">
          <NewTenant onCreated={reloadPage} />
        </Panel>
      </div>
    </Page>
  );
}

const OPTIONS = [
  ['false', 'no'],
  ['true', 'yes'],
] as const;

const SETTINGS: FormFields = {
  fingerprint_tokens: { kind: 'text', label: 'Compute fingerprints of all tokens', options: OPTIONS },
  deduplicate_tokens: { kind: 'text', label: 'Return existing tokens instead of copies', options: OPTIONS },
};
