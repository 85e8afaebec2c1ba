import assert from 'node:assert/strict';
import type { Sandbox } from '../../../emulator/sandbox/sandbox.js';
import { ATTACKS, type Attack, deadlineOf } from '../../emulator/sandbox/attacks.js';
import { asReactor, run } from '../../support/sandbox.js';

/** Normal reactors with the result that each must return while hostile ones run. */
const NORMAL: [code: string, result: unknown][] = [
  ['module.exports = async ({ args }) => ({ raw: args })', { raw: { n: 1 } }],
  [
    `const { createHmac } = require('crypto'); module.exports = () => ({ raw: createHmac('sha256', 'k').update('x').digest('hex').length })`,
    { raw: 64 },
  ],
  [
    `module.exports = () => ({ raw: JSON.parse(JSON.stringify(Array.from({ length: 5000 }, (_, i) => ({ i })))).length })`,
    { raw: 5000 },
  ],
  [
    `export default async () => ({ raw: new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' }).format(1).length })`,
    { raw: 6 },
  ],
  ['module.exports = async ({ svc }) => ({ raw: await svc.tokens.get("id") })', { raw: { ok: true } }],
  [
    `module.exports = async () => { await new Promise((r) => setTimeout(r, 5)); return { raw: 1 } }`,
    { raw: 1 },
  ],
  [
    `module.exports = async () => { console.log('hello', { a: 1 }); return { raw: require('uuid').v4().length } }`,
    { raw: 36 },
  ],
];

interface SoakReport {
  normal: number;
  hostile: number;
  /** Outcomes that no attack may have, and wrong results of normal reactors. */
  wrong: string[];
}

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

async function runNormal(sandbox: Sandbox, report: SoakReport): Promise<void> {
  const [code, result] = pick(NORMAL);
  const svc = async () => ({ ok: true });
  const outcome = await run(sandbox, code, { args: { n: 1 }, svc, timeoutMs: 30_000 });
  report.normal++;
  try {
    assert.deepEqual(outcome.kind === 'returned' ? outcome.value : outcome, result);
  } catch {
    report.wrong.push(`${code}: ${JSON.stringify(outcome).slice(0, 200)}`);
  }
}

async function runHostile(sandbox: Sandbox, attack: Attack, report: SoakReport): Promise<void> {
  const svc = () => new Promise<never>(() => {});
  const outcome = await run(sandbox, asReactor(attack.code), { svc, timeoutMs: deadlineOf(attack) });
  report.hostile++;
  // On a machine that is busy with attacks, any attack may time out before it ends in its own way. One that changes its
  // own globals throws when it runs again in the same context.
  const spoilt = attack.ends.includes('returned') ? 'threw' : undefined;
  if (![...attack.ends, 'timeout', 'busy', spoilt].includes(outcome.kind))
    report.wrong.push(`${attack.name}: ${outcome.kind}`);
}

/** Runs normal and hostile invocations at random, four at a time. @param goesOn is asked before each of them. */
export async function soak(sandbox: Sandbox, goesOn: () => boolean): Promise<SoakReport> {
  const report: SoakReport = { normal: 0, hostile: 0, wrong: [] };
  const lane = async () => {
    while (goesOn()) {
      if (Math.random() < 0.25) await runHostile(sandbox, pick(ATTACKS), report);
      else await runNormal(sandbox, report);
    }
  };
  await Promise.all(Array.from({ length: 4 }, lane));
  return report;
}
