import { formatNumber } from '../lib/text.js';
import type { Output } from './output.js';

export type Progress = ReturnType<typeof createProgress>;

interface ProgressOptions {
  unit: string;
  /** Items that an earlier run has done. */
  done?: number;
  /** Number of all items, those of earlier runs included; undefined if it is not known. */
  total: number | undefined;
}

const LINE_INTERVAL_MS = 5_000;
const BAR_INTERVAL_MS = 100;
const MAX_BAR_WIDTH = 40;
const MIN_BAR_WIDTH = 8;

/** Describes progress in parts, the most important one first. @param share from 0 to 1; undefined if the total is not known */
function partsOf(
  { unit, total = 0 }: ProgressOptions,
  done: number,
  share: number | undefined,
  perSecond: number,
): string[] {
  const speed = `${formatNumber(Math.round(perSecond))}/s`;
  if (share === undefined) return [`${formatNumber(done)} ${unit}`, speed];
  const seconds = (total - done) / perSecond;
  const time = seconds < 60 ? `${Math.ceil(seconds)} s left` : `${Math.ceil(seconds / 60)} min left`;
  const left = perSecond > 0 && share < 1 ? [time] : [];
  const of = `${formatNumber(done)} of ${formatNumber(total)} ${unit}`;
  return [`${Math.floor(share * 100)} %`, of, speed, ...left];
}

/** Renders a bar and as many parts as fit, without the bar if there is no room for it. */
function renderLine(given: readonly string[], share: number | undefined, width: number): string {
  const parts = [...given];
  while (parts.length > 1 && parts.join('  ').length > width) parts.pop();
  const text = parts.join('  ').slice(0, width);
  const barWidth = Math.min(MAX_BAR_WIDTH, width - text.length - 1);
  if (share === undefined || barWidth < MIN_BAR_WIDTH) return text;
  const full = Math.floor(barWidth * share);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${text}`;
}

/** Starts to show progress: in the status line of a terminal, otherwise as a line every few seconds. */
export function createProgress(output: Output, options: ProgressOptions) {
  const { total, done: before = 0 } = options;
  const { animate } = output.settings;
  const start = performance.now();
  let done = before;
  const share = () => (total === undefined ? undefined : Math.min(1, done / Math.max(1, total)));
  const parts = () =>
    partsOf(options, done, share(), (1000 * (done - before)) / Math.max(1, performance.now() - start));
  const report = animate
    ? () => output.status((width) => renderLine(parts(), share(), width))
    : () => output.notice(parts().slice(0, 3).join(', '));
  if (animate) report();
  const timer = setInterval(report, animate ? BAR_INTERVAL_MS : LINE_INTERVAL_MS);
  return {
    advance(items: number) {
      done += items;
      if (animate && share() === 1) report();
    },
    stop() {
      clearInterval(timer);
      output.status();
    },
  };
}
