import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { erasure } from './erasure.js';
import { readersBesideHostileExpressions } from './expressions.js';
import { firstInvocations } from './first-invocations.js';
import { growth } from './growth.js';
import { bulkImport } from './import.js';
import type { Measurement } from './measurement.js';
import { resets } from './reset.js';
import { readersBesideHostileReactors, warmInvocation } from './sandbox.js';
import { startCommand, startEmulator, startHelp } from './startup.js';
import { durableCreates, maskedPages, memoryCreates, reads } from './throughput.js';

const RESULTS = fileURLToPath(new URL('results.json', import.meta.url));

/** By the goals they show; `npm run bench -- H1 G2` runs some of them. */
const BENCHMARKS: [goals: string[], run: () => Promise<Measurement | Measurement[]>][] = [
  [['S1'], startHelp],
  [['S2'], startCommand],
  [['S3'], startEmulator],
  [['H1'], durableCreates],
  [['H2'], memoryCreates],
  [['H3'], reads],
  [['H4'], maskedPages],
  [['G1', 'G2'], growth],
  [['R1'], warmInvocation],
  [['R2'], firstInvocations],
  [['R3'], readersBesideHostileReactors],
  [['R4'], readersBesideHostileExpressions],
  [['C1'], bulkImport],
  [['C2'], resets],
  [['E1'], erasure],
];

function print({ id, what, goal, measured, met }: Measurement): void {
  const mark = met === undefined ? ' ' : met ? '✓' : '✗';
  process.stdout.write(`${id}  ${mark}  ${goal.padEnd(18)} ${measured.padEnd(24)} ${what}\n`);
}

async function main(wanted: string[]): Promise<void> {
  const all: Measurement[] = [];
  for (const [goals, run] of BENCHMARKS) {
    if (wanted.length > 0 && !goals.some((goal) => wanted.includes(goal))) continue;
    for (const measurement of [await run()].flat()) {
      all.push(measurement);
      print(measurement);
    }
  }
  await writeFile(RESULTS, `${JSON.stringify({ node: process.version, measurements: all }, null, 2)}\n`);
}

await main(process.argv.slice(2));
