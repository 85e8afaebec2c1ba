import { expect, test } from 'vitest';
import { EvaluationBudget } from '../../../emulator/expressions/budget.js';
import { RequestBudget } from '../../../emulator/expressions/index.js';
import { NOW } from './now.js';

const NUMBERS = Array.from({ length: 5_000 }, (_, index) => index);

test('evaluations of tenants take turns, however many wait for a thread', async () => {
  const ended: string[] = [];
  const evaluate = async (tenantId: string) => {
    await new RequestBudget(NOW, tenantId).evaluate('{{ data | sort | size }}', { data: NUMBERS }, 'mask');
    ended.push(tenantId);
  };
  const many = Array.from({ length: 20 }, () => evaluate('a'));
  await evaluate('b');
  expect(ended.length).toBeLessThan(10);
  await Promise.all(many);
});

test('20 requests that read 5 MB each wait for a thread at the same time', async () => {
  const data = 'x'.repeat(5_000_000);
  const evaluate = () => new RequestBudget(NOW).evaluate('{{ data | size }}', { data }, 'mask');
  expect(await Promise.all(Array.from({ length: 20 }, evaluate))).toEqual(Array(20).fill(5_000_000));
});

test.runIf(process.platform === 'linux')('only the time that the thread runs is charged', () => {
  const budget = new EvaluationBudget({ now: NOW, timeMs: 50, outputLength: 100 });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  budget.assertTimeLeft();
  expect(() => {
    for (;;) budget.assertTimeLeft();
  }).toThrow('the expressions of the request take more than 1 s');
});
