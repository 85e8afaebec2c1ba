import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Measurement } from './measurement.js';

/** The figures of one run, recorded with `npm run bench -- --record`. */
export interface Recording {
  commit: string;
  /** ISO 8601 date. */
  date: string;
  node: string;
  /** Medians by goal and row: `H1 POST /tokens …`. */
  figures: Record<string, number>;
}

/** A figure and the one that was recorded last. */
export interface Comparison {
  commit: string;
  /** How much worse it is now: 0.1 is 10 %, negative is better. */
  worse: number;
}

const FILE = fileURLToPath(new URL('history.json', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const nameOf = ({ id, what }: Measurement): string => `${id} ${what}`;

/** Reads the recordings, the latest one last. */
export async function readHistory(): Promise<Recording[]> {
  return JSON.parse(await readFile(FILE, 'utf8')) as Recording[];
}

/** Compares with the last recording that has the row; undefined if none has it. */
export function compare(history: readonly Recording[], measurement: Measurement): Comparison | undefined {
  const name = nameOf(measurement);
  const last = history.findLast(({ figures }) => name in figures);
  if (!last) return undefined;
  const recorded = last.figures[name] ?? Number.NaN;
  const { value, lowerIsBetter } = measurement;
  const worse = lowerIsBetter ? value / recorded - 1 : recorded / value - 1;
  return { commit: last.commit, worse };
}

/** Adds a recording of the commit that is checked out. */
export async function record(
  history: readonly Recording[],
  measurements: readonly Measurement[],
): Promise<void> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--', ':!bench/history.json') !== '';
  const recording: Recording = {
    commit: git('rev-parse', '--short', 'HEAD') + (isChanged ? '+' : ''),
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    figures: Object.fromEntries(measurements.map((row) => [nameOf(row), Number(row.value.toPrecision(3))])),
  };
  await writeFile(FILE, `${JSON.stringify([...history, recording], null, 2)}\n`);
}
