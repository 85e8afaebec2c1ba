import { expect, test } from 'vitest';
import { controlOf, refusal, useServer } from '../../support/test-server.js';

const server = useServer();
const control = controlOf(server);

const auditEntries = async () =>
  (await server.get('/logs', { as: 'management' })).body.pagination.total_items;

test('the page holds no data and runs under a strict policy', async () => {
  const response = await fetch(`${server.emulator.url}/_emulator/ui`);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  const page = await response.text();
  expect(page).not.toContain('<style');
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(page).not.toContain(server.emulator.controlToken);
});

test.each(['', '?a=/', '/', '/?a=b'])('the address of the documentation works: docs%s', async (rest) => {
  const address = `${server.emulator.url}/_emulator/ui/docs${rest}`;
  const { headers } = await fetch(address, { redirect: 'manual' });
  expect(new URL(headers.get('location') ?? '', address).href).toBe(
    `${server.emulator.url}/_emulator/ui#/docs`,
  );
});

test('the overview has figures, the tokens are masked, and reading them leaves no trace', async () => {
  await server.token({ type: 'token', data: 'plain-secret' });
  await server.token({ type: 'card', data: { number: '4242424242424242' } });
  const [entries, usage] = [
    await auditEntries(),
    await server.get('/tenants/self/reports/usage', { as: 'management' }),
  ];
  const overview = await control.get('/overview');
  const tokens = await control.get(`/tenants/${server.emulator.tenant_id}/tokens`);
  expect([overview.status, tokens.status]).toEqual([200, 200]);
  expect(overview.body).toMatchObject({ tokens: 2 });
  expect(tokens.body.data[0].data).toEqual({ number: 'XXXXXXXXXXXX4242' });
  expect(tokens.body.data[1]).not.toHaveProperty('data');
  const shown = JSON.stringify([overview.body, tokens.body]);
  expect(shown).not.toMatch(/plain-secret|4242424242424242|key_|whsec_/);
  expect(await auditEntries()).toBe(entries);
  expect((await server.get('/tenants/self/reports/usage', { as: 'management' })).body).toEqual(usage.body);
});

test('the tokens of a tenant are searched with a Lucene query, in pages', async () => {
  const { body: other } = await control.post('/tenants', { name: 'Other' });
  const path = `/tenants/${other.tenant_id}/tokens`;
  for (const order of ['1', '2', '3'])
    await server.post(
      '/tokens',
      { type: 'token', data: 1, metadata: { order } },
      { key: other.keys.private },
    );
  const { body } = await control.get(`${path}?query=NOT%20metadata.order:2&size=1&page=2`);
  expect(body.pagination).toEqual({ total_items: 2, page_number: 2, page_size: 1, total_pages: 2 });
  expect(body.data[0].metadata).toEqual({ order: '1' });
  const wrong = await control.get(`${path}?query=order:(`);
  expect(refusal(wrong)).toEqual([400, ['query']]);
  expect((await control.get(`${path}?size=101`)).status).toBe(400);
});

test('an unknown tenant is 404', async () => {
  expect((await control.get('/overview?tenant=nobody')).status).toBe(404);
  expect((await control.get('/tenants/nobody/tokens')).status).toBe(404);
});
