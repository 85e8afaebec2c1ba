import { useRef, useState } from 'preact/hooks';
import { callControl } from '../api/control-client.js';
import { Action } from '../components/action.js';
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
  const { tenant } = useWorkbench();
  const exportMasked = async () => saveFile('tokens-masked.json', formatJson(await loadAllMasked(tenant.id)));
  const exportTenant = async () => {
    const file = await callControl('tenants.export', { path: { id: tenant.id } });
    saveFile('tenant.json', JSON.stringify(file));
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
      <TokenImport />
      <Import
        label="Import tenant"
        file="Tenant to import"
        hint="A file of an export. It replaces the tenant of the same ID."
        onFile={async (body) => {
          await callControl('tenants.import', { body });
          location.reload();
          return '';
        }}
      />
    </Panel>
  );
}

interface ImportProps {
  label: string;
  /** What the file holds. */
  file: string;
  hint: string;
  /** @returns what to say when it is done */
  onFile(content: unknown): Promise<string>;
}

function Import({ label, file, hint, onFile }: ImportProps) {
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState('');
  const submit = async () => {
    setOutcome('');
    const chosen = input.current?.files?.[0];
    if (!chosen) throw new Error('Choose a file first.');
    setOutcome(await onFile(parseJson(chosen.name, await chosen.text())));
  };
  return (
    <Form label={label} submit={label} onSubmit={submit}>
      <label class="field">
        {file}
        <input ref={input} type="file" accept=".json,application/json" required />
        <small class="quiet">{hint}</small>
      </label>
      <p role="status">{outcome}</p>
    </Form>
  );
}

function TokenImport() {
  const { service } = useWorkbench();
  if (!service) return null;
  return (
    <Import
      label="Import tokens"
      file="Tokens to create"
      hint="A JSON array of { type, data, … }; all of them or none. CSV and large files: tokenctl token import."
      onFile={async (tokens) => {
        if (!Array.isArray(tokens))
          throw new Error('The file must be a JSON array of { type, data, … } objects.');
        await service.call('tokenize', { body: tokens });
        return `${formatNumber(tokens.length)} tokens are created.`;
      }}
    />
  );
}

/** Offers a text as a file to save. */
function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
