import type { Output } from '../output/output.js';

/** Tells how far a long job has come, on stderr. */
export interface Progress {
  /** @param rows done since the last call. */
  advance(rows: number): void;
  /** How much of the total is done. */
  read(amount: number): void;
  stop(): void;
}

const LINE_INTERVAL_MS = 5_000;

const perSecond = (rows: number, since: number): number =>
  Math.round(rows / ((performance.now() - since) / 1000));

const counted = (rows: number): string => rows.toLocaleString('en');

/** Off a terminal: a line now and then, so that a log shows that it goes on. */
function lines(output: Output, total: number | undefined): Progress {
  const start = performance.now();
  let rows = 0;
  let amount = 0;
  const timer = setInterval(() => {
    const share = total ? ` (${Math.floor((100 * amount) / total)} %)` : '';
    output.notice(`${counted(rows)} rows${share}, ${counted(perSecond(rows, start))} rows/s`);
  }, LINE_INTERVAL_MS);
  return {
    advance: (more) => {
      rows += more;
    },
    read: (now) => {
      amount = now;
    },
    stop: () => clearInterval(timer),
  };
}

function timeLeft(progress: number, elapsedMs: number): string {
  if (progress <= 0) return '';
  const seconds = Math.ceil((elapsedMs / progress - elapsedMs) / 1000);
  return seconds < 60 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`;
}

/** On a terminal: a bar by the total, with rate and time left. */
async function bar(total: number): Promise<Progress> {
  const { Format, Presets, SingleBar } = (await import('cli-progress')).default;
  const start = performance.now();
  let rows = 0;
  const shown = new SingleBar(
    {
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
      format: (options, { progress }, { rows: done, rate }) =>
        `${Format.BarFormat(progress, options)} ${Math.floor(progress * 100)} %  ${counted(done)} rows  ${counted(rate)} rows/s  ${timeLeft(progress, performance.now() - start)}`,
    },
    Presets.shades_classic,
  );
  shown.start(total, 0, { rows: 0, rate: 0 });
  return {
    advance: (more) => {
      rows += more;
      shown.update({ rows, rate: perSecond(rows, start) });
    },
    read: (amount) => shown.update(amount),
    stop: () => shown.stop(),
  };
}

/** @param total of what `read` counts: bytes of a source, or rows; undefined when nobody knows. */
export async function createProgress(output: Output, total: number | undefined): Promise<Progress> {
  if (!output.settings.animate || !total) return lines(output, total);
  return bar(total);
}
