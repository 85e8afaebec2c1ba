import type { Context } from '../../command.js';
import type { Style } from '../../output/style.js';
import { type Column, renderTable } from '../../output/table.js';
import type { TenantIdentity } from '../../tenant-config/tenant-identity.js';
import { findRecordedReactor } from './shared/recorded-reactor.js';

const REPORT_VERSION = 1;

/** One version of the report. */
interface VersionReport {
  number: number;
  deployed_at: string;
  commit?: string | undefined;
  hash: string;
  application: string | null;
  /** Names only. */
  configuration: string[];
  /** It was deployed last. */
  current: boolean;
}

interface History {
  version: typeof REPORT_VERSION;
  target: string;
  tenant: TenantIdentity;
  name: string;
  id: string;
  /** Newest first. */
  versions: VersionReport[];
}

const SHOWN_HASH_CHARACTERS = 12;
const shorten = (text: unknown): string => String(text ?? '').replace(/^([\da-f]{12})[\da-f]+/, '$1');

const COLUMNS: readonly Column[] = [
  { title: 'VERSION', field: 'number', align: 'right', importance: 5 },
  { title: 'DEPLOYED', field: 'deployed_at', format: 'time', importance: 4 },
  { title: 'COMMIT', field: 'commit', show: shorten, min: SHOWN_HASH_CHARACTERS, importance: 3 },
  { title: 'HASH', field: 'hash', show: shorten, min: SHOWN_HASH_CHARACTERS, importance: 2 },
  { title: 'APPLICATION', field: 'application', show: (name) => String(name ?? ''), importance: 1 },
  { title: '', field: 'current', show: (current) => (current ? 'current' : '') },
];

const renderHistory = ({ versions }: History, style: Style, width: number): string =>
  renderTable(versions, COLUMNS, style, width);

export async function run({ reactor }: { reactor: string }, context: Context): Promise<void> {
  const { object, versions, tenant } = await findRecordedReactor(reactor, context);
  const { name, id } = object;
  const last = versions.at(-1);
  const report: History = {
    version: REPORT_VERSION,
    target: (await context.client.connection()).transport.url,
    tenant,
    name,
    id,
    versions: versions.toReversed().map(({ configuration, ...version }) => ({
      ...version,
      configuration: Object.keys(configuration),
      current: version.number === last?.number,
    })),
  };
  await context.output.result(report, { redaction: 'plain', render: renderHistory });
}
