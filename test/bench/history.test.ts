import { describe, expect, it } from 'vitest';
import { compare, type Recording, readHistory } from '../../bench/history.js';
import { atLeast, atMost } from '../../bench/measurement.js';

const recording = (commit: string, figures: Record<string, number>): Recording => ({
  commit,
  date: '2026-01-01',
  node: 'v20.20.2',
  figures,
});

describe('compare', () => {
  it('is positive for less where more is better', () => {
    const history = [recording('aaa', { 'H1 creates': 0.5 })];
    expect(compare(history, atLeast('H1', 'creates', 0.25, 0.25))).toEqual({
      commit: 'aaa',
      recorded: 0.5,
      worse: 1,
    });
  });

  it('is positive for more where less is better', () => {
    const history = [recording('aaa', { 'S1 help': 1 })];
    expect(compare(history, atMost('S1', 'help', 1.3, 1.5))?.worse).toBeCloseTo(0.5);
    expect(compare(history, atMost('S1', 'help', 1.3, 0.5))?.worse).toBeCloseTo(-0.5);
  });

  it('compares with the last recording that has the row', () => {
    const history = [recording('old', { 'S1 help': 1, 'S2 get': 1 }), recording('new', { 'S1 help': 2 })];
    expect(compare(history, atMost('S1', 'help', 1.3, 2))?.commit).toBe('new');
    expect(compare(history, atMost('S2', 'get', 1.8, 2))?.commit).toBe('old');
    expect(compare(history, atMost('S3', 'start', 5, 2))).toBeUndefined();
  });
});

it('bench/history.json holds medians by goal and row, and no path', async () => {
  const history = await readHistory();
  expect(JSON.stringify(history)).not.toMatch(/\/(home|root|tmp|work|Users)\/|[A-Z]:\\/);
  for (const { commit, date, node, figures } of history) {
    expect(`${commit} ${date} ${node}`).toMatch(/^[0-9a-f]{7,}\+? \d{4}-\d\d-\d\d v\d+\.\d+\.\d+$/);
    for (const [name, value] of Object.entries(figures)) {
      expect(name).toMatch(/^[A-Z]\d /);
      expect(value).toBeGreaterThan(0);
    }
  }
});
