import { describe, expect, test } from 'vitest';
import { RemoteStateTracker } from '../../../../src/cli/tenant-config/apply/remote-state.js';
import { ConnectionError, ServiceError } from '../../../../src/client/errors.js';

const fail = (status: number) => new ServiceError(status, { title: 'Error' }, undefined);

describe('RemoteStateTracker', () => {
  test('begins untouched and takes the state of a successful request', async () => {
    const tracker = new RemoteStateTracker();
    expect(tracker.state).toBe('untouched');
    expect(await tracker.change('written', async () => 'result')).toBe('result');
    expect(tracker.state).toBe('written');
  });

  test('is unknown while a request is in flight', async () => {
    const tracker = new RemoteStateTracker();
    await tracker.change('written', async () => expect(tracker.state).toBe('unknown'));
  });

  test.each([400, 401, 403, 404, 422, 429])(
    'returns to the state before a rejection with %s',
    async (status) => {
      const tracker = new RemoteStateTracker();
      await tracker.change('written', async () => {});
      await expect(tracker.change('restored', () => Promise.reject(fail(status)))).rejects.toThrow();
      expect(tracker.state).toBe('written');
    },
  );

  test.each([
    ['a 408', fail(408)],
    ['a 409', fail(409)],
    ['a 500', fail(500)],
    ['a broken connection', new ConnectionError('reset', 'ECONNRESET', undefined)],
  ])('stays unknown after %s: the request may have been executed', async (_what, error) => {
    const tracker = new RemoteStateTracker();
    await expect(tracker.change('written', () => Promise.reject(error))).rejects.toThrow(error);
    expect(tracker.state).toBe('unknown');
  });
});
