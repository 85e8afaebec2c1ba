import type { Output } from './output.js';

/** Shows the progress of a long job on stderr. */
export interface Progress {
  /** Adds items to those that are done. */
  advance(items: number): void;
  stop(): void;
}

interface ProgressOptions {
  /** What is counted: `rows`. */
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

const formatCount = (items: number): string => items.toLocaleString('en');

function formatTimeLeft(seconds: number): string {
  return seconds < 60 ? `${Math.ceil(seconds)} s left` : `${Math.ceil(seconds / 60)} min left`;
}

/** Counts what is done, and describes it in parts, the most important one first. */
class Counter {
  #done: number;
  readonly #before: number;
  readonly #start = performance.now();

  constructor(private readonly options: ProgressOptions) {
    this.#before = options.done ?? 0;
    this.#done = this.#before;
  }

  /** From 0 to 1; undefined if the total is not known. */
  get share(): number | undefined {
    const { total } = this.options;
    return total === undefined ? undefined : Math.min(1, this.#done / Math.max(1, total));
  }

  advance(items: number): void {
    this.#done += items;
  }

  parts(): string[] {
    const { unit, total } = this.options;
    const { share } = this;
    const rate = (1000 * (this.#done - this.#before)) / Math.max(1, performance.now() - this.#start);
    const speed = `${formatCount(Math.round(rate))}/s`;
    if (share === undefined || total === undefined) return [`${formatCount(this.#done)} ${unit}`, speed];
    return [
      `${Math.floor(share * 100)} %`,
      `${formatCount(this.#done)} of ${formatCount(total)} ${unit}`,
      speed,
      ...(rate > 0 && share < 1 ? [formatTimeLeft((total - this.#done) / rate)] : []),
    ];
  }
}

/** Renders a bar and as many parts as fit, without the bar if there is no room for it. */
function renderLine(counter: Counter, width: number): string {
  const parts = counter.parts();
  while (parts.length > 1 && parts.join('  ').length > width) parts.pop();
  const text = parts.join('  ').slice(0, width);
  const barWidth = Math.min(MAX_BAR_WIDTH, width - text.length - 1);
  if (counter.share === undefined || barWidth < MIN_BAR_WIDTH) return text;
  const full = Math.floor(barWidth * counter.share);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${text}`;
}

/** Starts to show progress: in the status line of a terminal, otherwise as a line every few seconds. */
export function createProgress(output: Output, options: ProgressOptions): Progress {
  const counter = new Counter(options);
  const { animate } = output.settings;
  const report = animate
    ? () => output.status((width) => renderLine(counter, width))
    : () => output.notice(counter.parts().slice(0, 3).join(', '));
  if (animate) report();
  const timer = setInterval(report, animate ? BAR_INTERVAL_MS : LINE_INTERVAL_MS);
  return {
    advance(items) {
      counter.advance(items);
      if (animate && counter.share === 1) report();
    },
    stop() {
      clearInterval(timer);
      output.status();
    },
  };
}
