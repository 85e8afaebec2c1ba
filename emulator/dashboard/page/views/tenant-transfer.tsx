import { useRef, useState } from 'preact/hooks';
import { callControl } from '../api/control-client.js';
import { ConfirmButton } from '../components/confirm-button.js';
import { Form, parseJson } from '../components/form.js';
import { Panel } from '../components/page.js';
import { formatJson, formatNumber } from '../format.js';
import { useWorkbench } from '../hooks/workbench.js';

const PAGE_SIZE = 100;

async function loadAllMasked(tenantId: string): Promise<unknown[]> {
  const tokens: unknown[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await callControl('tenants.tokens', {
      path: { id: tenantId },
      query: { page, size: PAGE_SIZE },
    });
    tokens.push(...data);
    if (page >= pagination.total_pages) return tokens;
  }
}

/** Import and export: tokens with masked data, and whole tenants. */
export function TenantTransfer() {
  const { tenant, attempt } = useWorkbench();
  const exportMasked = () =>
    attempt(async () => saveFile('tokens-masked.json', formatJson(await loadAllMasked(tenant.id))));
  const exportTenant = () =>
    attempt(async () => {
      const file = await callControl('tenants.export', { path: { id: tenant.id } });
      saveFile('tenant.json', JSON.stringify(file));
    });
  return (
    <Panel title="Import and export">
      <div class="row">
        <button type="button" onClick={exportMasked}>
          Export tokens, masked
        </button>
        <ConfirmButton
          label="Export tenant …"
          question="Export with token data?"
          confirm="Export"
          onConfirm={exportTenant}
        >
          The file holds the data of every token in plain text, and secrets. Keep it as you would keep the
          tokens.
        </ConfirmButton>
      </div>
      <TokenImport />
      <TenantImport />
    </Panel>
  );
}

/** Reads the file of an input. @throws Error without a file */
async function readJsonFile(input: HTMLInputElement | null): Promise<unknown> {
  const file = input?.files?.[0];
  if (!file) throw new Error('Choose a file first.');
  return parseJson(file.name, await file.text());
}

function TokenImport() {
  const { service } = useWorkbench();
  const input = useRef<HTMLInputElement>(null);
  const [count, setCount] = useState<number | undefined>();
  if (!service) return null;
  const importTokens = async () => {
    setCount(undefined);
    const body = await readJsonFile(input.current);
    if (!Array.isArray(body)) throw new Error('The file must be a JSON array of { type, data, … } objects.');
    await service.call('tokenize', { body });
    setCount(body.length);
  };
  return (
    <Form label="Import tokens" submit="Import tokens" onSubmit={importTokens}>
      <label class="field">
        Tokens to create
        <input ref={input} type="file" accept=".json,application/json" required />
        <small class="quiet">
          A JSON array of {'{ type, data, … }'}; all of them or none. CSV and large files: tokenctl token
          import.
        </small>
      </label>
      <p role="status">{count !== undefined && `${formatNumber(count)} tokens are created.`}</p>
    </Form>
  );
}

function TenantImport() {
  const input = useRef<HTMLInputElement>(null);
  const importTenant = async () => {
    await callControl('tenants.import', { body: await readJsonFile(input.current) });
    location.reload();
  };
  return (
    <Form label="Import a tenant" submit="Import tenant" onSubmit={importTenant}>
      <label class="field">
        Tenant to import
        <input ref={input} type="file" accept=".json,application/json" required />
        <small class="quiet">A file of an export. It replaces the tenant of the same ID.</small>
      </label>
    </Form>
  );
}

/** Offers a text as a file to save. */
function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
