// A world per test: WORLDS tests in each of 8 files, shuffled and at the same time, each with tokens, clock and faults of its own.
import { test } from 'tokenctl/vitest';

for (let number = 0; number < Number(process.env.WORLDS); number++) {
  test(`world ${number}`, async ({ tenant, client, clock, faults, expect }) => {
    const expires_at = new Date((await clock.now()) + 3_600_000).toISOString();
    await client.call('tokens.create', {
      body: { id: 'same-id', type: 'token', data: `${number}`, expires_at },
    });
    if (number % 3 === 0) await clock.advance('2h');
    if (number % 3 === 1) await faults.add({ operation: 'tokens.list', status: 418, times: 1 });
    const listing = client.call('tokens.list').then(
      ({ data }) => data.length,
      ({ status }) => status,
    );
    expect(await listing).toBe([0, 418, 1][number % 3]);
    await tenant.requests.verify({ operation: 'tokens.create', times: 1, body: { data: `${number}` } });
    await tenant.requests.verify({ operation: 'tokens.list', times: 1 });
    expect(await tenant.requests.findUnexpected()).toEqual([]);
  });
}
