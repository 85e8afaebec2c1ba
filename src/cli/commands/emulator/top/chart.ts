import { plot } from 'simple-ascii-chart';

/** Columns of the axis and its labels. */
const AXIS_WIDTH = 9;

/** Lines that the chart has besides those of the values: the arrow of the axis. */
const EXTRA_LINES = 1;

/** The smallest chart that shows anything. */
export const MIN_CHART_HEIGHT = 4;

/**
 * Draws the newest values as a chart whose axis begins at 0.
 * @param width columns of the terminal, axis included
 * @param height lines, axis included
 */
export function renderChart(values: readonly number[], width: number, height: number): string[] {
  const columns = Math.max(2, width - AXIS_WIDTH);
  const shown = values.slice(-columns);
  const filled = [...new Array<number>(columns - shown.length).fill(0), ...shown];
  const drawn = plot(
    filled.map((value, index): [number, number] => [index, value]),
    {
      width: columns,
      height: height - EXTRA_LINES,
      hideXAxis: true,
      fillArea: true,
      yRange: [0, Math.max(1, ...filled)],
      formatter: (value) => formatTick(value),
    },
  );
  return drawn
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .slice(0, height);
}

/** Formats a label of the axis in at most `AXIS_WIDTH` characters. */
function formatTick(value: number): string {
  if (value >= 100_000) return `${Math.round(value / 1_000)}k`;
  return String(value >= 10 ? Math.round(value) : Math.round(value * 10) / 10);
}
