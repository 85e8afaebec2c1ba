import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgress } from '../../../src/cli/output/progress.js';
import { StatusLine } from '../../../src/cli/output/status-line.js';
import { collectOutput } from '../../support/output.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const outputTo = (animate: boolean, columns?: number) =>
  collectOutput(
    { animate, width: 80, chosen: false, json: false },
    { isTTY: animate, ...(columns !== undefined && { columns }) },
  );

test('off a terminal, progress is a line every five seconds', async () => {
  const { written, output } = await outputTo(false);
  const progress = createProgress(output, { unit: 'rows', done: 1_000, total: 5_000 });
  vi.advanceTimersByTime(4_900);
  progress.advance(500);
  vi.advanceTimersByTime(100);
  progress.stop();
  vi.advanceTimersByTime(10_000);
  expect(written).toEqual(['30 %, 1,500 of 5,000 rows, 100/s\n']);
});

test('on a terminal, the time left is that of the rows that are left, and what does not fit is left out', async () => {
  const { written, output } = await outputTo(true, 60);
  const progress = createProgress(output, { unit: 'rows', done: 1_000, total: 5_000 });
  progress.advance(500);
  vi.advanceTimersByTime(1_000);
  expect(written.at(-1)).toBe('\r\u001b[K████░░░░░░░░░░ 30 %  1,500 of 5,000 rows  500/s  7 s left');
  output.notice('notice');
  expect(written.slice(-3)).toEqual(['\r\u001b[K', 'notice\n', expect.stringContaining('30 %')]);
  progress.stop();
  expect(written.at(-1)).toBe('\r\u001b[K');
});

test('an exit removes a status line that is shown', () => {
  const written: string[] = [];
  const before = process.listenerCount('exit');
  const line = new StatusLine({ write: (text) => written.push(text) });
  line.show(() => '');
  line.show(() => 'at work');
  const [remove] = process.listeners('exit').slice(before);
  remove?.call(process, 0);
  expect(written).toEqual(['\r\u001b[Kat work', '\r\u001b[K']);
  expect(process.listenerCount('exit')).toBe(before);
});
