import { describe, expect, test } from 'vitest';
import { attempt, unwrap } from '../../../src/cli/lib/attempt.js';

const { signal } = new AbortController();

describe('attempt', () => {
  test('returns the value of a step', async () => {
    expect(await attempt(signal, async () => 1)).toMatchObject({ ok: true, value: 1 });
  });

  test('returns the error of a step instead of rejecting', async () => {
    const error = new Error('no');
    expect(await attempt(signal, () => Promise.reject(error))).toMatchObject({ ok: false, error });
  });

  test('does not start a step after an abort', async () => {
    let started = false;
    const outcome = await attempt(AbortSignal.abort('stop'), async () => {
      started = true;
    });
    expect(outcome).toMatchObject({ ok: false, error: 'stop' });
    expect(started).toBe(false);
  });

  test('reports an abort in place of the error that it causes', async () => {
    const controller = new AbortController();
    const outcome = await attempt(controller.signal, async () => {
      controller.abort('stop');
      throw new Error('connection closed');
    });
    expect(outcome).toMatchObject({ ok: false, error: 'stop' });
  });
});

test('unwrap returns the value or throws the error', () => {
  expect(unwrap({ ok: true, value: 1, durationMs: 0 })).toBe(1);
  expect(() => unwrap({ ok: false, error: new Error('no'), durationMs: 0 })).toThrow('no');
});
