import { describeLogGap, LOG_ENTITY_TYPES, LOG_OPERATIONS } from '../../../../src/contract/audit-log.js';
import { TRANSFORMS } from '../../../../src/contract/permissions.js';
import type { LogEntry } from '../../../../src/contract/schemas/index.js';
import { Select, TextField } from '../components/fields.js';
import { Listing } from '../components/listing.js';
import { Page } from '../components/page.js';
import type { Column } from '../components/table.js';
import { Id, Named, None, Time } from '../components/text.js';
import { changesData, useReloadOn } from '../hooks/events.js';
import { useResource } from '../hooks/resource.js';
import { useService } from '../hooks/workbench.js';
import { hrefTo, navigate, type ViewProps } from '../route.js';
import { PAGES } from './resources/views.js';

/** The sections that have a page for each entity of a type. */
const SECTIONS: Readonly<Record<string, string>> = {
  token: 'tokens',
  ...Object.fromEntries(PAGES.map(({ row: { noun, collection } }) => [noun, collection])),
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
  { name: 'Time', kind: 'fit', cell: ({ created_at }) => <Time value={created_at} /> },
  { name: 'Operation', kind: 'fit', cell: ({ operation }) => operation },
  { name: 'Entity', cell: ({ entity_type, entity_id: id }) => <Entity type={entity_type} id={id} /> },
  { name: 'Actor', cell: ({ actor_type, actor_id: id }) => <Entity type={actor_type} id={id} /> },
  { name: 'Data shown as', kind: 'fit', cell: ({ transform }) => transform ?? <None /> },
  { name: 'Changed', kind: 'wide', cell: ({ changed }) => changed?.join(', ') || <None /> },
];

const FILTERS = [
  ['entity_type', 'Entity type', LOG_ENTITY_TYPES],
  ['operation', 'Operation', LOG_OPERATIONS],
  ['transform', 'Data shown as', TRANSFORMS],
] as const;

const Gap = ({ completeFrom }: { completeFrom: string | null | undefined }) =>
  completeFrom ? <p class="quiet">{describeLogGap(completeFrom)}</p> : null;

export function AuditLog({ route: { query } }: ViewProps) {
  const service = useService();
  const { page = '1', entity_type, operation, transform, entity_id, actor_id } = query;
  const filters = { entity_type, operation, transform, entity_id, actor_id };
  const entries = useResource(
    () => service.readAll('logs.list', { query: { ...filters, page: Number(page) } }),
    [service, page, entity_type, operation, transform, entity_id, actor_id],
  );
  useReloadOn(changesData, entries.reload);
  const set = (change: Record<string, string>) => navigate(['log'], { ...filters, ...change });
  return (
    <Page title="Audit log" summary="Who did what with which token, reactor, application; never the data.">
      <div class="filters">
        {FILTERS.map(([name, label, values]) => (
          <Select
            key={name}
            label={label}
            value={query[name] ?? ''}
            options={[['', 'any'], ...values.map((value) => [value, value] as const)]}
            onChange={(value) => set({ [name]: value })}
          />
        ))}
        <TextField
          label="Entity ID"
          mono
          value={entity_id ?? ''}
          onChange={(value) => set({ entity_id: value })}
        />
      </div>
      <Gap completeFrom={entries.value?.headers.get(service.headers.logCompleteFrom)} />
      <Listing
        title="Entries"
        columns={COLUMNS}
        page={{ ...entries, value: entries.value?.body }}
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
