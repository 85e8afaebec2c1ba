import { LOG_ENTITY_TYPES, LOG_OPERATIONS } from '../../../../src/contract/audit-log.js';
import { TRANSFORMS } from '../../../../src/contract/permissions.js';
import { NOUNS, RESOURCES } from '../../../../src/contract/resources.js';
import type { LogEntry } from '../../../../src/contract/schemas/index.js';
import { Field } from '../components/form.js';
import { Page } from '../components/page.js';
import { type Column, Listing } from '../components/table.js';
import { Id, Named, Time } from '../components/text.js';
import { useResource, useService } from '../hooks/emulator.js';
import { hrefTo, navigate, type ViewProps } from '../route.js';

/** The sections that have a page for each entity of a type. */
const SECTIONS: Readonly<Record<string, string>> = {
  token: 'tokens',
  ...Object.fromEntries(NOUNS.map((noun) => [noun, RESOURCES[noun].collection])),
};

function Entity({ type, id }: { type: string; id: string | undefined }) {
  const section = SECTIONS[type];
  if (id === undefined) return <span class="quiet">{type}</span>;
  return (
    <span class="row">
      {type}
      {section === undefined ? <Id value={id} /> : <Named id={id} collection={section} />}
    </span>
  );
}

const COLUMNS: readonly Column<LogEntry>[] = [
  ['Time', 'fit', ({ created_at }) => <Time value={created_at} />],
  ['Operation', 'fit', ({ operation }) => operation],
  ['Entity', 'text', ({ entity_type, entity_id: id }) => <Entity type={entity_type} id={id} />],
  ['Actor', 'text', ({ actor_type, actor_id: id }) => <Entity type={actor_type} id={id} />],
  ['Data shown as', 'fit', ({ transform }) => transform],
  ['Changed', 'wide', ({ changed }) => changed?.join(', ')],
];

const FILTERS = [
  ['entity_type', 'Entity type', LOG_ENTITY_TYPES],
  ['operation', 'Operation', LOG_OPERATIONS],
  ['transform', 'Data shown as', TRANSFORMS],
] as const;

export function AuditLog({ route: { query } }: ViewProps) {
  const service = useService();
  const { page = '1', entity_type, operation, transform, entity_id, actor_id } = query;
  const filters = { entity_type, operation, transform, entity_id, actor_id };
  const entries = useResource(
    () => service.read('logs.list', { query: { ...filters, page: Number(page) } }),
    [filters, page],
  );
  const set = (change: Record<string, string>) => navigate(['log'], { ...filters, ...change });
  return (
    <Page title="Audit log" summary="Who did what with which token, reactor, application; never the data.">
      <div class="filters">
        {FILTERS.map(([name, label, values]) => (
          <Field
            key={name}
            label={label}
            value={query[name] ?? ''}
            options={[['', 'any'], ...values]}
            onChange={(one) => set({ [name]: one })}
          />
        ))}
        <Field label="Entity ID" mono value={entity_id ?? ''} onChange={(id) => set({ entity_id: id })} />
      </div>
      <Listing
        title="Entries"
        columns={COLUMNS}
        page={entries}
        items={['entry', 'entries']}
        hrefOf={(next) => hrefTo(['log'], { ...filters, page: next })}
        empty={{
          title: 'No entries.',
          command: 'tokenctl log list --follow',
          children: Object.values(filters).some(Boolean) && <a href="#/log">Remove the filters.</a>,
        }}
      />
    </Page>
  );
}
