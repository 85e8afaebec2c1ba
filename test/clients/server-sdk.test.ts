import { randomBytes } from 'node:crypto';
import * as current from '@basis-theory/node-sdk';
import { CompactEncrypt, importSPKI } from 'jose';
import * as earlier from 'node-sdk-2';
import { describe, expect, test, vi } from 'vitest';
import { startStub } from '../support/http-server.js';
import { PATIENCE } from '../support/patience.js';
import { sampled } from '../support/width.js';
import { useFamilyEmulator } from './emulator.js';

const emulator = useFamilyEmulator();
const CODE = 'module.exports = async (req) => ({ raw: req.args })';
const CARD = { number: '4242424242424242', expiration_month: '12', expiration_year: '2030' };

/** The major versions of a server SDK of the API family; their methods have the same shapes. */
const MAJORS = [
  ['current', current.BasisTheoryClient],
  ['earlier', earlier.BasisTheoryClient as unknown as typeof current.BasisTheoryClient],
] as const;

describe.each(sampled(MAJORS))('the %s major of a server SDK runs unchanged', (_name, Client) => {
  const clientOf = (type: 'private' | 'management') =>
    new Client({ apiKey: emulator().keys[type], environment: emulator().url, maxRetries: 0 });

  test('tokens', async () => {
    const client = clientOf('private');
    const request = {
      type: 'card',
      data: CARD,
      metadata: { lot: _name },
      searchIndexes: ['{{ data.number | last4 }}'],
    };
    const { id = '', card } = await client.tokens.create(request);
    expect(card).toMatchObject({ brand: 'visa', last4: '4242', expirationYear: 2030 });
    expect((await client.tokens.get(id)).data).toMatchObject({ expiration_month: 12 });
    const listed = await client.tokens.listV2({ metadata: { lot: _name }, size: 1 });
    expect(listed.data.map((token) => token.id)).toEqual([id]);
    const found = await client.tokens.searchV2({ query: `data:4242 AND metadata.lot:${_name}` });
    expect(found.data.map((token) => token.id)).toEqual([id]);
    await client.tokens.update(id, { metadata: { order: '7' } });
    expect(await client.tokens.detokenize({ last4: `{{ ${id} | json: '$.number' | last4 }}` })).toEqual({
      last4: '4242',
    });
    await client.tokens.delete(id);
    await expect(client.tokens.get(id)).rejects.toMatchObject({ statusCode: 404 });
  });

  test('sessions', async () => {
    const page = new Client({ apiKey: emulator().keys.public, environment: emulator().url, maxRetries: 0 });
    const { nonce = '', sessionKey = '' } = await page.sessions.create();
    await clientOf('private').sessions.authorize({ nonce, permissions: ['token:create', 'token:read'] });
    const client = new Client({ apiKey: sessionKey, environment: emulator().url, maxRetries: 0 });
    const { id = '' } = await client.tokens.create({ type: 'token', data: 'x' });
    expect((await client.tokens.get(id)).id).toBe(id);
    await expect(client.tokens.delete(id)).rejects.toMatchObject({ statusCode: 403 });
  });

  test('applications, keys, permissions and logs', async () => {
    const client = clientOf('management');
    const application = { name: 'shop', type: 'private', permissions: ['token:create', 'token:use'] };
    const { id = '' } = await client.applications.create(application);
    await client.applications.update(id, { name: 'store', permissions: ['token:use'] });
    expect((await client.applications.get(id)).name).toBe('store');
    const ids = [];
    for await (const listed of await client.applications.list({ start: '', size: 2 })) ids.push(listed.id);
    expect(ids).toContain(id);
    expect(new Set(ids).size).toBe(ids.length);
    const key = await client.applicationKeys.create(id);
    expect(await client.applicationKeys.list(id)).toHaveLength(2);
    await client.applicationKeys.delete(id, key.id ?? '');
    const permissions = await client.permissions.list({ applicationType: 'private' });
    expect(permissions.map(({ type }) => type)).toContain('token:use');
    expect((await client.logs.getEntityTypes()).map(({ value }) => value)).toContain('token');
    await client.applications.delete(id);
  });

  test('reactors, with results later', async () => {
    const [management, client] = [clientOf('management'), clientOf('private')];
    const { id = '' } = await management.reactors.create({ name: 'echo', code: CODE });
    expect((await client.reactors.react(id, { args: { n: 1 } })).raw).toEqual({ n: 1 });
    const { asyncReactorRequestId = '' } = await client.reactors.reactAsync(id, { args: { n: 2 } });
    await vi.waitFor(
      async () =>
        expect(await client.reactors.results.get(id, asyncReactorRequestId)).toEqual({ raw: { n: 2 } }),
      PATIENCE,
    );
    await management.reactors.patch(id, { name: 'other' });
    await management.reactors.delete(id);
  });

  test('proxies, webhooks and the tenant', async () => {
    const stub = await startStub({ body: { ok: true } });
    const client = clientOf('management');
    try {
      const { id = '', key = '' } = await client.proxies.create({ name: 'pay', destinationUrl: stub.url });
      const headers = { 'BT-API-KEY': emulator().keys.private, 'BT-PROXY-KEY': key };
      expect((await fetch(`${emulator().url}/proxy/charges`, { headers })).status).toBe(200);
      await client.proxies.patch(id, { name: 'settle' });
      expect((await client.proxies.get(id)).name).toBe('settle');
      await client.proxies.delete(id);
      const webhook = await client.webhooks.create({ name: 'hi', url: stub.url, events: ['token.created'] });
      expect(await client.webhooks.events.list()).toContain('token.created');
      expect((await client.webhooks.list()).data.map((one) => one.id)).toEqual([webhook.id]);
      await client.webhooks.update(webhook.id, { name: 'store', url: stub.url, events: ['token.deleted'] });
      await client.webhooks.delete(webhook.id);
      await client.webhooks.ping();
      expect((await client.tenants.self.get()).id).toBe(emulator().tenant_id);
    } finally {
      await stub.close();
    }
  });
});

test('the current major verifies bank accounts', async () => {
  const { url: environment, keys } = emulator();
  const client = new current.BasisTheoryClient({ apiKey: keys.private, environment, maxRetries: 0 });
  const data = { routing_number: '021000021', account_number: '00001' };
  const { id = '' } = await client.tokens.create({ type: 'bank', data });
  expect(await client.enrichments.bankAccountVerify({ tokenId: id })).toEqual({ status: 'enabled' });
});

test('the current major uploads and downloads documents', async () => {
  const { url: environment, keys } = emulator();
  const client = new current.BasisTheoryClient({ apiKey: keys.private, environment, maxRetries: 0 });
  // More than the bytes that are handled at once, of which some are no text.
  const bytes = randomBytes(3_000_000);
  const document = new Blob([bytes], { type: 'image/png' });
  const { id = '' } = await client.documents.upload({ document, request: { metadata: { lot: 'a' } } });
  expect(await client.documents.get(id)).toMatchObject({ contentType: 'image/png', metadata: { lot: 'a' } });
  const content = Buffer.from(await (await client.documents.data.get(id)).arrayBuffer());
  // Not toEqual, which takes minutes for this.
  expect(content.equals(bytes)).toBe(true);
  await client.documents.delete(id);
  await expect(client.documents.data.get(id)).rejects.toMatchObject({ statusCode: 404 });
  expect((await client.applicationTemplates.list()).map(({ name }) => name)).toContain('Use PCI Tokens');
});

test('the current major creates keys, and tokens of data that is encrypted with them', async () => {
  const { url: environment, keys } = emulator();
  const client = new current.BasisTheoryClient({ apiKey: keys.private, environment, maxRetries: 0 });
  const { keyId = '', publicKeyPem = '' } = await client.keys.create({});
  expect((await client.keys.list()).map((key) => key.keyId)).toContain(keyId);
  const header = { alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: keyId };
  const encrypted = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(CARD)))
    .setProtectedHeader(header)
    .encrypt(await importSPKI(publicKeyPem, header.alg));
  expect((await client.tokens.create({ type: 'card', encrypted })).card?.last4).toBe('4242');
  expect((await client.tokenIntents.create({ type: 'card', data: undefined, encrypted })).card?.last4).toBe(
    '4242',
  );
  // As the documentation of the family has it.
  await new current.BasisTheoryClient({ apiKey: keys.management, environment }).keys.delete(keyId);
  await expect(client.keys.get(keyId)).rejects.toMatchObject({ statusCode: 404 });
});
