import { expect, test } from 'vitest';
import { discardInFlight } from '../../../../emulator/services/idempotency/record.js';

const request = (tenantId: string, ...ids: string[]) => ({
  tenantId,
  tokenIds: new Set(ids),
  discarded: false,
});

test('discardInFlight discards the requests of the tenant that used one of the tokens', () => {
  const [hit, other, foreign] = [request('a', 't1', 't2'), request('a', 't3'), request('b', 't1')];
  discardInFlight([hit, other, foreign], 'a', { tokenIds: ['t1'] });
  expect([hit, other, foreign].map(({ discarded }) => discarded)).toEqual([true, false, false]);
});

test('discardInFlight without token ids discards all requests of the tenant', () => {
  const [own, foreign] = [request('a'), request('b')];
  discardInFlight([own, foreign], 'a');
  expect([own.discarded, foreign.discarded]).toEqual([true, false]);
});
