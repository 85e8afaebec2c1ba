import { describe, expect, test } from 'vitest';
import type { ConsoleEntry } from '../../../emulator/sandbox/invocation.js';
import { asReactor, returned, run, testSandbox } from '../../support/sandbox.js';
import { sampled } from '../../support/width.js';
import { ATTACKS, deadlineOf } from './attacks.js';

const GRACE_MS = 150;
const MiB = 1024 ** 2;
const limits = { memoryBytes: 48 * MiB, retainedMemoryBytes: 24 * MiB, graceMs: GRACE_MS };

/** Everything an idle instance may hold on to. */
const IDLE_BYTES = 24 * MiB;

describe('hostile code', () => {
  const sandbox = testSandbox({ limits });
  const svc = () => new Promise<never>(() => {});

  test.each(sampled(ATTACKS, 9))('$name', async (attack) => {
    const { code, ends, returns } = attack;
    const log: ConsoleEntry[] = [];
    await sandbox.warm();
    const outcome = await run(sandbox, asReactor(code), {
      timeoutMs: deadlineOf(attack),
      svc,
      console: (entry) => log.push(entry),
    });
    expect(ends).toContain(outcome.kind);
    if (returns && outcome.kind === 'returned') expect(outcome.value).toMatchObject(returns);
    expect(log.length).toBeLessThanOrEqual(1_001);
    expect(log.every(({ message }) => message.length < 10_000)).toBe(true);
    expect(JSON.stringify(outcome).length).toBeLessThan(100_000);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(await returned(sandbox, 'module.exports = () => ({ raw: ({}).polluted ?? "well" })')).toEqual({
      raw: 'well',
    });
  });

  test('after all attacks, only idle instances of normal size remain', () => {
    const { running, queued, workers, memoryBytes } = sandbox.stats();
    expect({ running, queued }).toEqual({ running: 0, queued: 0 });
    expect(memoryBytes).toBeLessThanOrEqual(workers * IDLE_BYTES);
  });

  test('an attack on one instance does not affect others', async () => {
    const victim = () =>
      returned(sandbox, 'let n = 0; module.exports = async () => ({ raw: ++n })', { reactorId: 'victim' });
    await victim();
    const attacks = ATTACKS.slice(0, 6).map((attack) =>
      run(sandbox, asReactor(attack.code), { timeoutMs: deadlineOf(attack) }),
    );
    expect(await victim()).toEqual({ raw: 2 });
    await Promise.all(attacks);
    expect(await victim()).toEqual({ raw: 3 });
  });
});
