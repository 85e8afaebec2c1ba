import { BasisTheory } from '@basis-theory/basis-theory-js';
import { BasisTheory as Earlier } from 'basis-theory-js-2';
import { expect, test } from 'vitest';
import { startStub } from '../support/http-server.js';
import { useFamilyEmulator } from './emulator.js';

const emulator = useFamilyEmulator();

/** The majors of the SDK before the current one, which is for servers and browsers. */
const MAJORS = [
  ['last', BasisTheory],
  ['earlier', Earlier as unknown as typeof BasisTheory],
] as const;

test.each(MAJORS)('the %s major of the SDK before the current one runs unchanged', async (_name, Sdk) => {
  /** This SDK uses plain http for this name only. */
  const clientOf = (type: 'private' | 'management') =>
    new Sdk().init(emulator().keys[type], {
      apiBaseUrl: emulator().url.replace('127.0.0.1', 'localhost'),
      disableTelemetry: true,
    });
  const stub = await startStub({ body: { ok: true } });
  try {
    const [client, management] = [await clientOf('private'), await clientOf('management')];
    const { id } = await client.tokens.create({ type: 'token', data: 'secret', metadata: { lot: _name } });
    expect((await client.tokens.list({ metadata: { lot: _name } })).data).toHaveLength(1);
    expect((await client.tokens.search({ query: `metadata.lot:${_name}` })).data).toHaveLength(1);
    await client.tokens.update(id, { metadata: { lot: 'b' } });
    const application = { name: 'a', type: 'private', permissions: ['token:use'] } as const;
    const created = await management.applications.create({ ...application, permissions: ['token:use'] });
    // A request without a body whose Content-Type is that of a form; the earlier major has none.
    if (_name === 'last')
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
