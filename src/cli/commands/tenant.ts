import type { Tenant, UsageReport } from '../../contract/schemas/index.js';
import type { Context } from '../command.js';
import type { Options } from '../flags/flag.js';
import { usageError } from '../lib/errors.js';
import { formatNumber } from '../lib/text.js';
import type { Style } from '../output/style.js';
import { renderTable } from '../output/table.js';
import { displayWidth, fold } from '../output/text-width.js';
import { confirmByName } from './shared/confirm.js';
import { printItem } from './shared/entity-names.js';
import { parsePairs } from './shared/input.js';

/** Changes the tenant. The service requires a name, so without one the current name is sent. It validates the settings. */
async function changeTenant(
  change: { name?: string | undefined; settings?: object | undefined },
  { client }: Context,
) {
  const name = change.name ?? (await client.call('tenants.get', {})).name;
  return client.call('tenants.update', { body: { ...change, name } });
}

export async function getTenant(_options: object, context: Context) {
  const { client } = context;
  await printItem(await client.call('tenants.get', {}), { redaction: 'plain' }, context);
}

type TenantOptions = Options<'name'> & Options<'set', string[]>;

export async function updateTenant({ name, set }: TenantOptions, context: Context) {
  if (name === undefined && !set) throw usageError('Nothing to update.', 'Give --name or --set key=value.');
  const settings = set && parsePairs(set, '--set');
  await printItem(await changeTenant({ name, settings }, context), { redaction: 'plain' }, context);
}

export async function getSettings(_options: object, { client, output }: Context) {
  const { settings } = await client.call('tenants.get', {});
  await output.plain(settings);
}

export async function changeSettings({ setting }: { setting: string[] }, context: Context) {
  const { settings } = await changeTenant({ settings: parsePairs(setting, '<setting>') }, context);
  await context.output.plain(settings);
}

export async function deleteTenant({ confirm }: { confirm?: string | undefined }, context: Context) {
  const { client, output } = context;
  const { name, id } = await confirmTenantDeletion(confirm, context);
  await client.call('tenants.delete', {});
  output.notice(`Deleted tenant ${name} (${id}).`);
}

export async function confirmTenantDeletion(confirm: string | undefined, context: Context): Promise<Tenant> {
  const tenant = await context.client.call('tenants.get', {});
  const { name } = tenant;
  const texts = {
    question: `Type its name (${name}) to delete the tenant and all its data from`,
    required: '--confirm=<name> is missing.',
    mismatch: 'The name does not match the tenant of this key. Nothing was deleted.',
  };
  await confirmByName(name, confirm, texts, context);
  return tenant;
}

const BAR_CELLS = 24;
/** Share of the plan from which its use is shown in yellow; above 1 it is red. */
const NEAR_LIMIT = 0.8;

const MANY_PLANS = 10;

export async function showUsage(_options: object, { client, output }: Context) {
  const usage = await client.call('tenants.usage', {});
  await output.plain(usage, { render: renderUsage });
  const { included_monthly_active_tokens: included, monthly_active_tokens: active } = usage.token_report;
  if (active > included)
    output.warn(
      `This month has ${formatNumber(active)} active tokens, ${formatNumber(active - included)} more than the plan includes.`,
    );
}

function bar(share: number): string {
  const eighths = Math.round(Math.min(Math.max(share, 0), 1) * BAR_CELLS * 8);
  const part = eighths % 8 === 0 ? '' : String.fromCodePoint(0x2590 - (eighths % 8));
  return '█'.repeat(Math.floor(eighths / 8)) + part;
}

const percent = (share: number): string => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

/** The use of a plan: `42 %`, or `1,000 × the plan` where a percentage says little. */
const useOf = (share: number): string =>
  share < MANY_PLANS ? percent(share) : `${formatNumber(Math.floor(share))} × the plan`;

function renderUsage({ token_report: report }: UsageReport, style: Style, width: number): string {
  const { included_monthly_active_tokens: included, monthly_active_tokens: active } = report;
  const metrics = Object.entries(report.metrics_by_type)
    .map(([type, metric]) => ({ type, count: metric?.count ?? 0, last: metric?.last_created_at ?? '' }))
    .sort((a, b) => b.count - a.count);
  const total = metrics.reduce((sum, { count }) => sum + count, 0);
  const rows = metrics.map((metric) => ({ ...metric, share: metric.count / (total || 1) }));
  const table = renderTable(
    rows,
    [
      { title: 'TYPE', field: 'type', min: 22, importance: 4 },
      {
        title: 'TOKENS',
        field: 'count',
        align: 'right',
        show: (count) => formatNumber(count as number),
        importance: 3,
      },
      {
        title: 'SHARE',
        field: 'share',
        align: 'right',
        show: (share) => percent(share as number),
        importance: 2,
      },
      { title: '', field: 'share', show: (share) => bar(share as number).padEnd(BAR_CELLS), min: BAR_CELLS },
      { title: 'LAST CREATED', field: 'last', format: 'time', importance: 1 },
    ],
    style,
    width,
  );
  const used = included > 0 ? active / included : 1;
  const paint = used > 1 ? style.red : used >= NEAR_LIMIT ? style.yellow : style.green;
  const plan = `${formatNumber(active)} of ${formatNumber(included)} included monthly active tokens${included > 0 ? ` (${useOf(used)})` : ''}`;
  const gauge = paint(bar(used).padEnd(BAR_CELLS, '░'));
  const summary = `${plan}, ${formatNumber(total)} stored`;
  // Beside the bar if there is room, else below it.
  const lines =
    BAR_CELLS + 1 + displayWidth(summary) <= width
      ? [`${gauge} ${summary}`]
      : [gauge, ...fold(summary, width)];
  return [...(rows.length > 0 ? [table, ''] : []), ...lines].join('\n');
}
