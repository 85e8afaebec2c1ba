/**
 * What a test of either kit does in a world of its own, at the same time as others: a token under an id that all use, and a
 * clock or a fault that no other test must notice.
 * @param {number} number tells the worlds apart
 */
export async function useWorld(number, { tenant, client, clock, faults, expect }) {
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
}
