import { expect, test } from 'vitest';
import { ResponseCache } from '../../../../emulator/services/idempotency/stored-responses.js';
import { LIMITS } from '../../../../src/contract/limits.js';

const START = Date.UTC(2030, 0);

function response(id: string, tenant_id: string, ...token_ids: string[]) {
  return {
    id,
    tenant_id,
    token_ids,
    status: 200,
    body: { id },
    created_at: new Date(START).toISOString(),
    expires_at: new Date(START + LIMITS.idempotencyLifetimeMs).toISOString(),
  };
}

test('ResponseCache drops a response when it expires by the clock of the emulator', () => {
  const clock = { time: START, now: () => clock.time };
  const cache = new ResponseCache(clock);
  cache.set(response('a', 't'));
  clock.time += LIMITS.idempotencyLifetimeMs;
  expect(cache.get('t', 'a')).toBeDefined();
  clock.time += 1;
  expect(cache.get('t', 'a')).toBeUndefined();
});

test('ResponseCache discards by token within a tenant, by tenant, and everything', () => {
  const cache = new ResponseCache({ now: () => START });
  const left = () =>
    ['a', 'b', 'c', 'd'].filter((id) => ['t', 'u', 'v'].some((tenant) => cache.get(tenant, id)));
  cache.set(response('a', 't', 'x', 'y'));
  cache.set(response('b', 't', 'z'));
  cache.set(response('c', 'u', 'x'));
  cache.set(response('d', 'v', 'x'));
  cache.discardForTokens('t', ['x', 'q']);
  expect(left()).toEqual(['b', 'c', 'd']);
  cache.discardForTenant('u');
  expect(left()).toEqual(['b', 'd']);
  cache.clear();
  expect(left()).toEqual([]);
});

test('a tiny response costs its overhead, so that their number is bounded', () => {
  const cache = new ResponseCache({ now: () => START });
  cache.set(response('first', 'tenant'));
  // 64 MiB at 1 KiB each.
  for (let i = 0; i < 65_536; i++) cache.set(response(`tiny-${i}`, 'tenant'));
  expect(cache.get('tenant', 'first')).toBeUndefined();
  // Many token ids count, too.
  const ids = Array.from({ length: 100_000 }, (_, index) => `token-${index}`);
  for (let i = 0; i < 6; i++) cache.set(response(`wide-${i}`, 'tenant', ...ids));
  expect(cache.get('tenant', 'tiny-65535')).toBeUndefined();
});
