import { BasisTheory } from '@basis-theory/basis-theory-js';
import { expect, test } from 'vitest';
import { startStub } from '../support/http-server.js';
import { useFamilyEmulator } from './emulator.js';

const emulator = useFamilyEmulator();

/** This SDK uses plain http for this name only. */
const clientOf = (type: 'private' | 'management') =>
  new BasisTheory().init(emulator().keys[type], {
    apiBaseUrl: emulator().url.replace('127.0.0.1', 'localhost'),
    disableTelemetry: true,
  });

test('the SDK before the current one, for servers and browsers, runs unchanged', async () => {
  const stub = await startStub({ body: { ok: true } });
  try {
    const [client, management] = [await clientOf('private'), await clientOf('management')];
    const { id } = await client.tokens.create({ type: 'token', data: 'secret', metadata: { lot: 'a' } });
    expect((await client.tokens.list({ metadata: { lot: 'a' } })).data).toHaveLength(1);
    expect((await client.tokens.search({ query: 'metadata.lot:a' })).data).toHaveLength(1);
    await client.tokens.update(id, { metadata: { lot: 'b' } });
    const application = { name: 'a', type: 'private', permissions: ['token:use'] } as const;
    const created = await management.applications.create({ ...application, permissions: ['token:use'] });
    // A request without a body whose Content-Type is that of a form.
    expect((await management.applicationKeys.create(created.id)).key).toEqual(expect.any(String));
    const proxy = await management.proxies.create({ name: 'p', destinationUrl: stub.url, requireAuth: true });
    const headers = { 'BT-PROXY-KEY': proxy.key, 'X-Note': `{{ ${id} }}` };
    expect(await client.proxy.post({ headers, path: 'charges', body: { note: `{{ ${id} }}` } })).toEqual({
      ok: true,
    });
    await client.tokens.delete(id);
    await expect(client.tokens.retrieve(id)).rejects.toMatchObject({ status: 404 });
  } finally {
    await stub.close();
  }
});
