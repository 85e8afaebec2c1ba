import type { Sample } from './sample.js';

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];
const UNIT = 1_024;

/** Formats bytes with one decimal: `12.3 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(UNIT)));
  const value = bytes / UNIT ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}

export const formatCount = (count: number): string => count.toLocaleString('en');

export const formatRate = (perSecond: number): string => `${formatCount(perSecond)}/s`;

export const formatMs = (ms: number | null): string => (ms === null ? '–' : `${formatCount(ms)} ms`);

export const errorsPerSecond = (sample: Sample): number =>
  sample.client_errors_per_second + sample.server_errors_per_second;

/** The columns of plain lines: title, width, text. */
const COLUMNS: readonly [string, number, (sample: Sample) => string][] = [
  ['TIME', 20, ({ time }) => time.replace(/\.\d+/, '')],
  ['REQ/S', 9, (sample) => formatCount(sample.requests_per_second)],
  ['4XX/S', 8, (sample) => formatCount(sample.client_errors_per_second)],
  ['5XX/S', 8, (sample) => formatCount(sample.server_errors_per_second)],
  ['P50', 9, ({ p50_ms }) => formatMs(p50_ms)],
  ['P95', 9, ({ p95_ms }) => formatMs(p95_ms)],
  ['REACTORS', 8, ({ reactors }) => `${reactors.running}`],
  ['TOKENS', 9, ({ store }) => formatCount(store.tokens)],
  ['DISK', 9, ({ store }) => (store.bytes === undefined ? '–' : formatBytes(store.bytes))],
  ['MEMORY', 9, ({ memory_bytes }) => formatBytes(memory_bytes)],
];

/** Formats the heading of plain lines. */
export const headingLine = (): string => COLUMNS.map(([title, width]) => title.padStart(width)).join('  ');

/** Formats a sample as a plain line. */
export const sampleLine = (sample: Sample): string =>
  COLUMNS.map(([, width, text]) => text(sample).padStart(width)).join('  ');
