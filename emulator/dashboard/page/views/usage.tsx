import type { Overview } from '../../../../src/contract/control/schemas.js';
import { formatNumber } from '../format.js';

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
