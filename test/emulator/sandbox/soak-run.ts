// A long mix of normal and hostile invocations: `npm run soak -- --minutes 60`. Fails when memory does not come back.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSandbox } from '../../../emulator/sandbox/sandbox.js';
import { soak } from './soak.js';

const MiB = 1024 ** 2;
/** What a process may have more in the end than after the first minute: fragments, compiled code. */
const TOLERANCE = 40 * MiB;

const { minutes } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } }).values;
const limits = { memoryBytes: 64 * MiB, graceMs: 250 };
const sandbox = createSandbox({ runtime: 'quickjs', network: { mode: 'loopback' }, limits });

/** Resident memory when nothing runs and the collector has run. */
async function settled(): Promise<number> {
  await sleep(1_500);
  globalThis.gc?.();
  await sleep(500);
  return process.memoryUsage.rss();
}

let wrong = 0;
async function minute(): Promise<number> {
  const report = await soak(sandbox, 60_000);
  const resident = await settled();
  const { workers, memoryBytes, discarded } = sandbox.stats();
  const mib = (bytes: number) => `${Math.round(bytes / MiB)} MiB`;
  console.log(
    `${report.normal} normal, ${report.hostile} hostile, ${workers} workers holding ${mib(memoryBytes)}, ` +
      `${discarded} thrown away so far, resident ${mib(resident)}`,
  );
  for (const line of report.wrong) console.log(`  wrong: ${line}`);
  wrong += report.wrong.length;
  return resident;
}

const first = await minute();
let last = first;
for (let i = 1; i < Number(minutes); i++) last = await minute();
await sandbox.close();
const grown = last - first;
console.log(
  `Memory after the first minute and at the end: ${Math.round(grown / MiB)} MiB more; ${wrong} wrong results.`,
);
process.exitCode = grown > TOLERANCE || wrong > 0 ? 1 : 0;
