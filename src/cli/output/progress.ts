import type { Output } from './output.js';

/** Shows the progress of a long job on stderr. */
export interface Progress {
  /** Adds rows to those that are done. */
  advance(rows: number): void;
  /** Sets how much of the total is done. */
  update(amount: number): void;
  stop(): void;
}

const LINE_INTERVAL_MS = 5_000;

const rowsPerSecond = (rows: number, since: number): number =>
  Math.round(rows / ((performance.now() - since) / 1000));

const formatCount = (rows: number): string => rows.toLocaleString('en');

/** Prints a line every few seconds, for logs. */
function createLineProgress(output: Output, total: number | undefined): Progress {
  const start = performance.now();
  let rows = 0;
  let amount = 0;
  const timer = setInterval(() => {
    const share = total ? ` (${Math.floor((100 * amount) / total)} %)` : '';
    output.notice(`${formatCount(rows)} rows${share}, ${formatCount(rowsPerSecond(rows, start))} rows/s`);
  }, LINE_INTERVAL_MS);
  return {
    advance: (more) => {
      rows += more;
    },
    update: (now) => {
      amount = now;
    },
    stop: () => clearInterval(timer),
  };
}

function formatTimeLeft(progress: number, elapsedMs: number): string {
  if (progress <= 0) return '';
  const seconds = Math.ceil((elapsedMs / progress - elapsedMs) / 1000);
  return seconds < 60 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`;
}

/** Shows a bar with the rate and the time left, for terminals. */
async function createProgressBar(total: number): Promise<Progress> {
  const { Format, Presets, SingleBar } = (await import('cli-progress')).default;
  const start = performance.now();
  let rows = 0;
  const shown = new SingleBar(
    {
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
      format: (options, { progress }, { rows: done, rate }) =>
        `${Format.BarFormat(progress, options)} ${Math.floor(progress * 100)} %  ${formatCount(done)} rows  ${formatCount(rate)} rows/s  ${formatTimeLeft(progress, performance.now() - start)}`,
    },
    Presets.shades_classic,
  );
  shown.start(total, 0, { rows: 0, rate: 0 });
  return {
    advance: (more) => {
      rows += more;
      shown.update({ rows, rate: rowsPerSecond(rows, start) });
    },
    update: (amount) => shown.update(amount),
    stop: () => shown.stop(),
  };
}

/**
 * Starts to show progress: a bar on a terminal, otherwise lines.
 * @param total In the unit of `update`: bytes of a source, or rows; undefined if it is not known.
 */
export async function createProgress(output: Output, total: number | undefined): Promise<Progress> {
  if (!output.settings.animate || !total) return createLineProgress(output, total);
  return createProgressBar(total);
}
