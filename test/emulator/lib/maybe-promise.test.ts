import { describe, expect, it } from 'vitest';
import { andThen, recover } from '../../../emulator/lib/maybe-promise.js';

const fail = () => {
  throw new Error('failed');
};

describe('results that are available at once or later', () => {
  it('passes a result on at once, without a promise', () => {
    expect(andThen(1, (value) => value + 1)).toBe(2);
  });

  it('passes the result of a promise on later', async () => {
    const later = andThen(Promise.resolve(1), (value) => value + 1);
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toBe(2);
  });

  it('handles a failure at once', () => {
    expect(recover<string>(fail, (error) => String(error))).toBe('Error: failed');
  });

  it('handles a failure of a promise', async () => {
    expect(await recover<string>(async () => fail(), String)).toBe('Error: failed');
  });
});
