import { APPLICATION_TYPES } from '../../../../src/contract/application-types.js';
import type { Overview } from '../../../../src/contract/control/schemas.js';
import { callControl } from '../api/client.js';
import type { FormFields } from '../components/field-values.js';
import { Checkbox, Form, FormPanel } from '../components/form.js';
import { ScopeSwitch } from '../components/frame.js';
import { Loaded, Page, Panel } from '../components/page.js';
import { Action, Command, HiddenValues } from '../components/text.js';
import { formatJson, formatNumber } from '../format.js';
import { useControl, useWorkbench } from '../hooks/emulator.js';

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
        <Panel title="Usage" resource={overview}>
          {({ usage }) => <Usage report={usage} />}
        </Panel>
        <Panel title="Settings">
          <Loaded resource={overview}>
            {(loaded) => <Settings tenant={loaded.tenant} reload={overview.reload} />}
          </Loaded>
          <Keys />
        </Panel>
        <Transfer />
        <FormPanel
          label="New tenant"
          submit="Create tenant"
          fields={{
            name: {
              kind: 'text',
              required: true,
              hint: 'A separate world of tokens, reactors, applications and keys.',
            },
          }}
          save={(body: { name: string }) => callControl('tenants.create', { body }).then(reloadPage)}
        />
      </div>
    </Page>
  );
}

/** The active tokens of the month against those that the plan includes, and the tokens of each type. */
export function Usage({ report }: { report: Overview['usage'] }) {
  const { monthly_active_tokens: active, included_monthly_active_tokens: included, metrics_by_type } = report;
  const label = `${formatNumber(active)} of ${formatNumber(included)} included tokens active this month (UTC)`;
  const types = Object.entries(metrics_by_type).sort(([, a], [, b]) => b.count - a.count);
  const most = Math.max(1, ...types.map(([, { count }]) => count));
  const max = Math.max(included, active, 1);
  return (
    <div class="stack">
      <p>{label}</p>
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

function Settings({
  tenant: { name, settings },
  reload,
}: {
  tenant: Overview['tenant'];
  reload: () => void;
}) {
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

const PAGE_SIZE = 100;

async function loadAllMasked(id: string): Promise<unknown[]> {
  const tokens: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const query = { page, size: PAGE_SIZE };
    const { data, pagination } = await callControl('tenants.tokens', { path: { id }, query });
    tokens.push(...data);
    if (page >= pagination.total_pages) return tokens;
  }
}

const TOKEN_FILE: FormFields = {
  tokens: {
    kind: 'file',
    label: 'Tokens to create',
    hint: 'A JSON array of { type, data, … }; all of them or none. CSV and large files: tokenctl token import.',
    required: true,
  },
};
const TENANT_FILE: FormFields = {
  tenant: {
    kind: 'file',
    label: 'Tenant to import',
    hint: 'A file of an export. It replaces the tenant of the same ID.',
    required: true,
  },
};

function Transfer() {
  const { tenant, service, attempt } = useWorkbench();
  const exportMasked = async () => saveFile('tokens-masked.json', formatJson(await loadAllMasked(tenant.id)));
  const exportTenant = async () => {
    const file = await callControl('tenants.export', { path: { id: tenant.id } });
    saveFile('tenant.json', JSON.stringify(file));
  };
  const importTokens = async ({ tokens }: { tokens: unknown }) => {
    if (!Array.isArray(tokens))
      throw new Error('The file must be a JSON array of { type, data, … } objects.');
    const success = `${formatNumber(tokens.length)} tokens are created.`;
    await attempt(() => service?.call('tokenize', { body: tokens }), success);
  };
  return (
    <Panel title="Import and export">
      <div class="row">
        <Action name="Export tokens, masked" run={exportMasked} />
        <Action
          name="Export tenant …"
          run={exportTenant}
          ask={[
            'Export with token data?',
            'The file holds the data of every token in plain text, and secrets. Keep it as you would keep the tokens.',
          ]}
        />
      </div>
      {service && (
        <Form label="Import tokens" submit="Import tokens" fields={TOKEN_FILE} save={importTokens} />
      )}
      <Form
        label="Import tenant"
        submit="Import tenant"
        fields={TENANT_FILE}
        save={({ tenant: body }: { tenant: unknown }) =>
          callControl('tenants.import', { body }).then(reloadPage)
        }
      />
    </Panel>
  );
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
