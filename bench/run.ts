import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bulkImport, resets } from './bulk.js';
import { dashboard } from './dashboard.js';
import { growth } from './growth.js';
import { type Comparison, compare, readHistory, record } from './history.js';
import { besideHostileCallers } from './hostile-callers.js';
import type { Measurement } from './measurement.js';
import { globalInstall, testSuite } from './package.js';
import { createsBesideHangingCommit, createsOfTwoTenants, postgresCreates } from './postgres.js';
import { firstInvocations, warmInvocation } from './reactors.js';
import { execWithEmulator, startCommand, startEmulator, startHelp } from './startup.js';
import { tenants } from './tenants.js';
import { durableCreates, maskedPages, memoryCreates, reads } from './throughput.js';

const RESULTS = fileURLToPath(new URL('results.json', import.meta.url));

/** By the goals they show; `npm run bench -- H1 G2` runs some of them. */
const BENCHMARKS: [goals: string[], run: () => Promise<Measurement | Measurement[]>][] = [
  [['S1'], startHelp],
  [['S2'], startCommand],
  [['S3'], startEmulator],
  [['S4'], execWithEmulator],
  [['H1'], durableCreates],
  [['H2'], memoryCreates],
  [['H3'], reads],
  [['H4'], maskedPages],
  [['G1', 'G2'], growth],
  [['R1'], warmInvocation],
  [['R2'], firstInvocations],
  [['R3'], () => besideHostileCallers('R3')],
  [['R4'], () => besideHostileCallers('R4')],
  [['C1'], bulkImport],
  [['C2'], resets],
  [['I1'], tenants],
  [['N1'], globalInstall],
  [['P1'], postgresCreates],
  [['P2'], createsBesideHangingCommit],
  [['P3'], createsOfTwoTenants],
  [['T1'], testSuite],
  [['W1'], dashboard],
];

/** A figure that is worse by more than this is a regression: 10 %. */
const TOLERANCE = 0.1;

/** Formats a change: `▼ 24 % since abc1234`. */
function formatChange(comparison: Comparison | undefined): string {
  if (!comparison) return '';
  const { worse, commit } = comparison;
  const mark = worse > TOLERANCE ? '▼' : worse < -TOLERANCE ? '▲' : ' ';
  return `${mark} ${String(Math.round(-worse * 100)).padStart(4)} % since ${commit}`;
}

/** A measurement, and how it compares with the one that was recorded last. */
interface Row {
  measurement: Measurement;
  comparison: Comparison | undefined;
}

function print({ measurement: { id, what, goal, measured, met }, comparison }: Row): void {
  const columns = [goal.padEnd(16), measured.padEnd(34), formatChange(comparison).padEnd(26)];
  process.stdout.write(`${[id, met ? '✓' : '✗', ...columns].join('  ')}  ${what}\n`);
}

function printSummary(rows: readonly Row[]): void {
  const met = rows.filter(({ measurement }) => measurement.met).length;
  const regressions = rows.filter(({ comparison }) => comparison && comparison.worse > TOLERANCE).length;
  process.stdout.write(`${met} of ${rows.length} goals met, ${regressions} regressions (▼)\n`);
}

const GOALS = BENCHMARKS.flatMap(([goals]) => goals);
const USAGE = `Usage: npm run bench -- [GOAL...] [--record]\nGoals: ${GOALS.join(' ')}; all of them by default.\n`;

/** Reads the arguments, or says what is wrong with them and exits. */
function readArguments() {
  const options = {
    record: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const unknown = positionals.find((goal) => !GOALS.includes(goal));
    if (unknown !== undefined) throw new Error(`There is no goal '${unknown}'.`);
    return { ...values, goals: positionals };
  } catch (error) {
    process.stderr.write(`error: ${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

async function runBenchmarks(chosen: readonly string[], keep: boolean): Promise<void> {
  const history = await readHistory();
  const rows: Row[] = [];
  for (const [goals, run] of BENCHMARKS) {
    if (chosen.length > 0 && !goals.some((goal) => chosen.includes(goal))) continue;
    for (const measurement of [await run()].flat()) {
      const row = { measurement, comparison: compare(history, measurement) };
      rows.push(row);
      print(row);
    }
  }
  printSummary(rows);
  const measurements = rows.map(({ measurement }) => measurement);
  await writeFile(RESULTS, `${JSON.stringify({ node: process.version, measurements }, null, 2)}\n`);
  if (keep) await record(history, measurements);
}

const { help, goals, record: keep } = readArguments();
if (help) process.stdout.write(USAGE);
else await runBenchmarks(goals, keep);
