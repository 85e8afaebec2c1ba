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
import { firstInvocations, savesUntilResult, warmInvocation } from './reactors.js';
import { endAll } from './servers.js';
import { execWithEmulator, startCommand, startEmpty, startHelp } from './startup.js';
import { tenants } from './tenants.js';
import { durableCreates, maskedPages, memoryCreates, reads } from './throughput.js';

const RESULTS = fileURLToPath(new URL('results.json', import.meta.url));

/** By the goals they show; `npm run bench -- H1 G2` runs some of them. */
const BENCHMARKS: [goals: string[], run: () => Promise<Measurement | Measurement[]>][] = [
  [['S1'], startHelp],
  [['S2'], startCommand],
  [['S3'], startEmpty],
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
  [['W2'], savesUntilResult],
];

/** A figure that is worse by more than this is a regression: 10 %. */
const TOLERANCE = 0.1;

/** Prints a row. @returns whether it is a regression */
function print({ id, what, goal, measured, met }: Measurement, comparison: Comparison | undefined): boolean {
  const { worse = 0, commit } = comparison ?? {};
  const mark = worse > TOLERANCE ? '▼' : worse < -TOLERANCE ? '▲' : ' ';
  const change = commit ? `${mark} ${String(Math.round(-worse * 100)).padStart(4)} % since ${commit}` : '';
  const columns = [goal.padEnd(16), measured.padEnd(34), change.padEnd(26)];
  process.stdout.write(`${[id, met ? '✓' : '✗', ...columns].join('  ')}  ${what}\n`);
  return worse > TOLERANCE;
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
  const rows: Measurement[] = [];
  let regressions = 0;
  for (const [goals, run] of BENCHMARKS) {
    if (chosen.length > 0 && !goals.some((goal) => chosen.includes(goal))) continue;
    const measured = await run().finally(endAll);
    for (const row of [measured].flat()) {
      rows.push(row);
      if (print(row, compare(history, row))) regressions += 1;
    }
  }
  const met = rows.filter((row) => row.met).length;
  process.stdout.write(`${met} of ${rows.length} goals met, ${regressions} regressions (▼)\n`);
  const results = { node: process.version, measurements: rows };
  await writeFile(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  if (keep) await record(history, rows);
}

const { help, goals, record: keep } = readArguments();
if (help) process.stdout.write(USAGE);
else await runBenchmarks(goals, keep);
