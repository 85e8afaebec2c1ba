import type { UsageReport } from '../../contract/schemas/index.js';
import type { Context } from '../command.js';
import type { Style } from '../output/style.js';
import { renderTable } from '../output/table.js';
import { displayWidth, fold } from '../output/text-width.js';

const BAR_CELLS = 24;
/** Share of the plan from which its use is shown in yellow; above 1 it is red. */
const NEAR_LIMIT = 0.8;

export async function run(_options: object, { client, output }: Context): Promise<void> {
  const usage = await client.call('tenants.usage', {});
  await output.result(usage, { redaction: 'plain', render });
  const { included_monthly_active_tokens: included, monthly_active_tokens: active } = usage.token_report;
  if (active > included)
    output.warn(`This month has ${active} active tokens, ${active - included} more than the plan includes.`);
}

/** Draws a bar for a share, with a precision of an eighth of a cell. */
function bar(share: number): string {
  const eighths = Math.round(Math.min(Math.max(share, 0), 1) * BAR_CELLS * 8);
  const part = eighths % 8 === 0 ? '' : String.fromCodePoint(0x2590 - (eighths % 8));
  return '█'.repeat(Math.floor(eighths / 8)) + part;
}

const percent = (share: number): string => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

function render({ token_report: report }: UsageReport, style: Style, width: number): string {
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
      { title: 'TOKENS', field: 'count', align: 'right', importance: 3 },
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
  const plan = `${active} of ${included} included monthly active tokens${included > 0 ? ` (${percent(used)})` : ''}`;
  const gauge = paint(bar(used).padEnd(BAR_CELLS, '░'));
  const summary = `${plan}, ${total} stored`;
  // Beside the bar if there is room, else below it.
  const lines =
    BAR_CELLS + 1 + displayWidth(summary) <= width
      ? [`${gauge} ${summary}`]
      : [gauge, ...fold(summary, width)];
  return [...(rows.length > 0 ? [table, ''] : []), ...lines].join('\n');
}
