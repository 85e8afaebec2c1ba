// Runs normal and hostile invocations for a long time: `npm run soak -- --minutes 60`, at least 3. Fails if memory is not released.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSandbox } from '../../support/emulator.js';
import { soak } from './soak.js';

const MiB = 1024 ** 2;
/** The tolerated growth in bytes from beginning to end: fragmentation, compiled code. */
const TOLERANCE = 40 * MiB;
/** The same for a run of minutes: a single reading varies by 50 MiB, a median of several does not. */
const SHORT_RUN_TOLERANCE = 100 * MiB;
const SHORT_RUN_MINUTES = 15;

const { minutes } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } }).values;
const limits = { memoryBytes: 64 * MiB, graceMs: 250 };
const sandbox = createSandbox({ runtime: 'quickjs', network: { mode: 'loopback' }, limits });

/**
 * Returns the resident memory in bytes after a garbage collection while nothing runs, without that of the engines: each keeps
 * what its reactor once needed, up to its limit, and how many there are varies.
 */
async function settled(): Promise<number> {
  await sleep(1_500);
  globalThis.gc?.();
  await sleep(500);
  return process.memoryUsage.rss() - sandbox.stats().memoryBytes;
}

let right = 0;
let wrong = 0;
async function minute(): Promise<number> {
  const end = performance.now() + 60_000;
  const report = await soak(sandbox, () => performance.now() < end);
  const held = await settled();
  const { workers, memoryBytes, discarded } = sandbox.stats();
  const mib = (bytes: number) => `${Math.round(bytes / MiB)} MiB`;
  console.log(
    `${report.normal} normal, ${report.hostile} hostile, ${workers} workers holding ${mib(memoryBytes)}, ` +
      `${discarded} thrown away so far, ${mib(held)} held besides`,
  );
  for (const line of report.wrong) console.log(`  wrong: ${line}`);
  right += report.normal + report.hostile - report.wrong.length;
  wrong += report.wrong.length;
  return held;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

const readings: number[] = [];
// The first minute does not count: it compiles the code and fills the pool, for as long as a busy machine takes.
await minute();
for (let i = 1; i < Number(minutes); i++) readings.push(await minute());
await sandbox.close();
// Medians, because a single reading depends on which workers are just ending.
const quarter = Math.ceil(readings.length / 4);
const grown = median(readings.slice(-quarter)) - median(readings.slice(0, quarter));
console.log(`Memory, medians of the first and the last quarter: ${Math.round(grown / MiB)} MiB more.`);
console.log(`${right} passed, ${wrong} failed`);
const tolerance = readings.length < SHORT_RUN_MINUTES ? SHORT_RUN_TOLERANCE : TOLERANCE;
process.exitCode = grown > tolerance || wrong > 0 ? 1 : 0;
