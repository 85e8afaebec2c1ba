import { plot } from 'simple-ascii-chart';
import type { Stats } from '../../../contract/control/status.js';
import { formatNumber } from '../../lib/text.js';
import type { Style } from '../../output/style.js';
import { pad, truncate } from '../../output/text-width.js';

/** What an emulator did in one interval, and its sizes at the end. */
export interface Sample {
  /** ISO 8601, the time of this machine. */
  time: string;
  interval_ms: number;
  requests_per_second: number;
  /** Responses with a status of 400 to 499, and of 500 and above. */
  client_errors_per_second: number;
  server_errors_per_second: number;
  /** Latency that half, and 95 of 100 requests did not exceed; null without requests. */
  p50_ms: number | null;
  p95_ms: number | null;
  reactors: Stats['reactors'];
  store: Stats['store'];
  large_requests: Stats['large_requests'];
  memory_bytes: number;
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];
const UNIT = 1_024;

/** Formats bytes with one decimal: `12.3 MB`. */
function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(UNIT)));
  const value = bytes / UNIT ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}

const formatRate = (perSecond: number): string => `${formatNumber(perSecond)}/s`;

const formatMs = (ms: number | null): string => (ms === null ? '–' : `${formatNumber(ms)} ms`);

const errorsPerSecond = (sample: Sample): number =>
  sample.client_errors_per_second + sample.server_errors_per_second;

const COLUMNS: readonly [string, number, (sample: Sample) => string][] = [
  ['TIME', 20, ({ time }) => time.replace(/\.\d+/, '')],
  ['REQ/S', 9, (sample) => formatNumber(sample.requests_per_second)],
  ['4XX/S', 8, (sample) => formatNumber(sample.client_errors_per_second)],
  ['5XX/S', 8, (sample) => formatNumber(sample.server_errors_per_second)],
  ['P50', 9, ({ p50_ms }) => formatMs(p50_ms)],
  ['P95', 9, ({ p95_ms }) => formatMs(p95_ms)],
  ['REACTORS', 8, ({ reactors }) => `${reactors.running}`],
  ['TOKENS', 9, ({ store }) => formatNumber(store.tokens)],
  ['DISK', 9, ({ store }) => (store.bytes === undefined ? '–' : formatBytes(store.bytes))],
  ['MEMORY', 9, ({ memory_bytes }) => formatBytes(memory_bytes)],
];

export const headingLine = (): string => COLUMNS.map(([title, width]) => title.padStart(width)).join('  ');

export const sampleLine = (sample: Sample): string =>
  COLUMNS.map(([, width, text]) => text(sample).padStart(width)).join('  ');

const CELL_WIDTH = 20;

interface Watched {
  baseUrl: string;
  /** The newest last. */
  samples: readonly Sample[];
}

/** Renders the figures and charts for a terminal of this size. */
export function renderTop(
  { baseUrl, samples }: Watched,
  style: Style,
  width: number,
  height: number,
): string[] {
  const last = samples.at(-1);
  const title = style.bold(truncate(`tokenctl emulator top  ${baseUrl}`, width));
  const keys = style.dim(truncate('q quits', width));
  if (!last) return [title, '', 'Measuring …', '', keys];
  const figures = renderFigures(last, style, width);
  const charts = renderCharts(samples, style, width, height - figures.length - 4);
  return [title, '', ...figures, '', ...charts, keys];
}

function renderFigures(sample: Sample, style: Style, width: number): string[] {
  const { reactors, store, large_requests: large } = sample;
  const [largest] = large.holders;
  const failing = sample.server_errors_per_second > 0 ? style.red : style.bold;
  const cells: [string, string, (text: string) => string][] = [
    ['requests', formatRate(sample.requests_per_second), style.bold],
    ['4xx', formatRate(sample.client_errors_per_second), style.bold],
    ['5xx', formatRate(sample.server_errors_per_second), failing],
    ['p50', formatMs(sample.p50_ms), style.bold],
    ['p95', formatMs(sample.p95_ms), style.bold],
    ['reactors', `${reactors.running} running`, style.bold],
    ['waiting', `${reactors.queued}`, reactors.queued > 0 ? style.yellow : style.bold],
    ['tokens', formatNumber(store.tokens), style.bold],
    ...(store.bytes === undefined ? [] : [bytesCell('disk', store.bytes, style)]),
    bytesCell('memory', sample.memory_bytes, style),
    bytesCell('large', large.held_bytes, style),
    ...(largest ? [['most by', largest.tenant_id, style.yellow] as [string, string, typeof failing]] : []),
  ];
  const perLine = Math.max(1, Math.floor(width / CELL_WIDTH));
  const rendered = cells.map(([label, value, paint]) => {
    const text = truncate(value, CELL_WIDTH - label.length - 2);
    return style.dim(label) + pad(` ${text}`, CELL_WIDTH - label.length).replace(text, paint(text));
  });
  return Array.from({ length: Math.ceil(rendered.length / perLine) }, (_, line) =>
    rendered.slice(line * perLine, (line + 1) * perLine).join(''),
  );
}

const bytesCell = (
  label: string,
  bytes: number,
  style: Style,
): [string, string, (text: string) => string] => [label, formatBytes(bytes), style.bold];

/** Draws as many charts as there is room for, the most important first. */
function renderCharts(samples: readonly Sample[], style: Style, width: number, height: number): string[] {
  const charts: [string, number[]][] = [
    ['requests per second', samples.map((sample) => sample.requests_per_second)],
    ['95 % of the requests take at most … ms', samples.map(({ p95_ms }) => p95_ms ?? 0)],
    ['errors per second', samples.map(errorsPerSecond)],
  ];
  const count = Math.min(charts.length, Math.floor(height / (MIN_CHART_HEIGHT + 1)));
  const chartHeight = Math.floor(height / count) - 1;
  return charts
    .slice(0, count)
    .flatMap(([title, values]) => [
      style.dim(truncate(title, width)),
      ...renderChart(values, width, chartHeight).map((line) => style.cyan(truncate(line, width))),
    ]);
}

/** Columns of the axis and its labels. */
const AXIS_WIDTH = 9;

/** Lines that the chart has besides those of the values: the arrow of the axis. */
const EXTRA_LINES = 1;

const MIN_CHART_HEIGHT = 4;

/** Draws the newest values as a chart whose axis begins at 0. Width and height are columns and lines, axis included. */
function renderChart(values: readonly number[], width: number, height: number): string[] {
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
