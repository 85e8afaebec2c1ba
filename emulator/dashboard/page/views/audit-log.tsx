import { describeLogGap, LOG_ENTITY_TYPES, LOG_OPERATIONS } from '../../../../src/contract/audit-log.js';
import { TRANSFORMS } from '../../../../src/contract/permissions.js';
import type { LogEntry } from '../../../../src/contract/schemas/index.js';
import { Select, TextField } from '../components/fields.js';
import { Listing } from '../components/listing.js';
import { Page } from '../components/page.js';
import type { Column } from '../components/table.js';
import { Id, None, Time } from '../components/text.js';
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

function Entity({ entry: { entity_type, entity_id } }: { entry: LogEntry }) {
  const section = SECTIONS[entity_type];
  if (entity_id === undefined) return <span class="quiet">{entity_type} list</span>;
  return (
    <span class="row">
      {entity_type}
      {section === undefined ? (
        <Id value={entity_id} />
      ) : (
        <Id value={entity_id} href={hrefTo([section, entity_id])} />
      )}
    </span>
  );
}

/** Names of applications and reactors by id. */
type Names = ReadonlyMap<string, string>;

function Actor({ entry: { actor_id, actor_type }, names }: { entry: LogEntry; names: Names }) {
  const section = SECTIONS[actor_type];
  if (actor_id === undefined || section === undefined) return <>{actor_type}</>;
  const href = hrefTo([section, actor_id]);
  const name = names.get(actor_id);
  if (name === undefined) return <Id value={actor_id} href={href} />;
  return (
    <a href={href} title={actor_id}>
      {name}
    </a>
  );
}

const columns = (names: Names): readonly Column<LogEntry>[] => [
  { name: 'Time', kind: 'fit', cell: ({ created_at }) => <Time value={created_at} /> },
  { name: 'Operation', kind: 'fit', cell: ({ operation }) => operation },
  { name: 'Entity', cell: (entry) => <Entity entry={entry} /> },
  { name: 'Actor', cell: (entry) => <Actor entry={entry} names={names} /> },
  { name: 'Data shown as', kind: 'fit', cell: ({ transform }) => transform ?? <None /> },
  { name: 'Changed', kind: 'wide', cell: ({ changed }) => changed?.join(', ') || <None /> },
];

const FILTERS = [
  ['entity_type', 'Entity type', LOG_ENTITY_TYPES],
  ['operation', 'Operation', LOG_OPERATIONS],
  ['transform', 'Data shown as', TRANSFORMS],
] as const;

/** Returns the names of those who act, as far as they still exist. */
function useActorNames(): Names {
  const service = useService();
  const query = { size: 100 };
  const applications = useResource(() => service.read('applications.list', { query }), [service]);
  const reactors = useResource(() => service.read('reactors.list', { query }), [service]);
  useReloadOn(changesData, applications.reload);
  useReloadOn(changesData, reactors.reload);
  const actors = [...(applications.value?.data ?? []), ...(reactors.value?.data ?? [])];
  return new Map(actors.map(({ id, name }) => [id, name]));
}

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
  const names = useActorNames();
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
        columns={columns(names)}
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
