import { expect, it, onTestFinished, vi } from 'vitest';
import { LineLedger } from '../../../../emulator/store/compaction/line-ledger.js';

it('a removal that is written while lines are gathered counts until its own lines are erased', async () => {
  const ledger = new LineLedger();
  const remove = (number: number) => {
    const line = { segment: 1, offset: number * 10, length: 9 };
    ledger.noteWritten(
      { op: 'remove', collection: 'tokens', tenantId: 't', id: `t${number}`, revision: number },
      line,
    );
    return line;
  };
  remove(1);
  ledger.scheduleErase(
    Array.from({ length: 100 }, (_, at) => ({ line: { segment: 2, offset: at, length: 1 } })),
  );
  // They are gathered in slices, as many are.
  const { now } = performance;
  let passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + passed++);
  onTestFinished(() => void vi.restoreAllMocks());
  const taking = ledger.take();
  const later = remove(2);
  ledger.settle(await taking);
  expect(ledger.liveLines(1)).toEqual([later]);
});
