import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as client from '../../src/client/index.js';
import type * as testing from '../../src/testing/index.js';
import { CERTIFICATE, CERTIFICATE_KEY } from '../support/certificates.js';
import { PACKAGE, projectDir, requireOfPackage, tokenctl } from '../support/executable.js';

const { ServiceError } = requireOfPackage('tokenctl/client') as typeof client;
const { connectEmulator, startEmulator } = requireOfPackage('tokenctl/emulator') as typeof testing;
const DAY_MS = 86_400_000;

let emulator: testing.StartedEmulator;
beforeAll(async () => {
  emulator = await startEmulator({ port: 0, rateLimit: false });
});
afterAll(() => emulator.close());

test('a tenant has a client, and the controls of a world of its own', async () => {
  const [one, other] = [await emulator.tenants.create('one'), await emulator.tenants.create('other')];
  const { tokens, reactors } = await one.seed({
    tokens: [{ type: 'token', data: 'secret' }],
    reactors: [
      { name: 'echo', code: 'module.exports = async ({ args }) => ({ raw: args })', configuration: {} },
    ],
  });
  expect(await one.client.call('tokens.get', { path: { id: tokens[0]?.id ?? '' } })).toMatchObject({
    data: 'secret',
  });
  expect(reactors.echo).toBe(reactors[0]);
  expect(await one.client.react('echo', { amount: 5 })).toEqual({ raw: { amount: 5 } });
  await expect(one.client.react('ech', {})).rejects.toThrow('There is no reactor "ech".');
  expect(await one.clock.advance('1d')).toEqual([]);
  expect((await one.clock.now()) - (await other.clock.now())).toBeGreaterThan(DAY_MS - 5_000);
  await one.clock.set(Date.UTC(2040, 0, 1));
  await one.clock.freeze();
  await one.clock.advance(1_000);
  expect(new Date(await one.clock.now()).toISOString()).toMatch(/^2040-01-01T00:00:0[1-5]/);
  await one.snapshots.save('base');
  await one.client.call('tokens.delete', { path: { id: tokens[0]?.id ?? '' } });
  await one.snapshots.restore('base');
  expect((await one.snapshots.list()).map(({ name }) => name)).toEqual(['base']);
  const fault = await one.faults.add({ operation: 'tokens.create', status: 422 });
  await expect(one.client.call('tokens.create', { body: { type: 'token', data: 1 } })).rejects.toThrow(
    ServiceError,
  );
  await other.client.call('tokens.create', { body: { type: 'token', data: 1 } });
  await one.faults.remove(fault.id);
  expect((await other.requests.list()).map(({ operation }) => operation)).toEqual(['tokens.create']);
  expect(await one.deliveries.wait()).toEqual([]);
  await one.reset();
  expect((await one.client.call('tokens.list')).data).toEqual([]);
  await one.delete();
  await other.close();
});

test('a tenant deploys reactors and applies manifests as the commands do', async () => {
  const directory = await projectDir({
    'charge.ts': 'export default async () => ({ raw: { deployed: true } });',
    'tokenctl.yaml': 'reactors:\n  - name: refund\n    code: refund.js\n    configuration: {}\n',
    'refund.js': 'module.exports = async () => ({});',
  });
  const tenant = await emulator.tenants.create();
  expect(JSON.parse(await tenant.deploy(join(directory, 'charge.ts'))).summary).toMatchObject({ created: 1 });
  expect(JSON.parse(await tenant.apply(directory)).summary).toMatchObject({ created: 1 });
  const { data } = await tenant.client.call('reactors.list');
  expect(data.map(({ name }) => name).sort()).toEqual(['charge', 'refund']);
  // The report of a failed test must not fail with it.
  await tenant.faults.add({ operation: 'reactors.get', status: 400 });
  expect(await tenant.locate(data[0]?.id ?? '', 'at reactor.js:1:1')).toBe('at reactor.js:1:1');
  await expect(tenant.deploy(join(directory, 'nothing.ts'))).rejects.toMatchObject({ name: 'CommandError' });
  await tenant.delete();
});

test('an emulator with https is used as any other', async () => {
  const directory = await projectDir({ 'one.js': 'module.exports = async () => ({});' });
  const tls = { cert: CERTIFICATE, key: CERTIFICATE_KEY };
  const encrypted = await startEmulator({ port: 0, rateLimit: false, tls });
  const { url, controlToken } = encrypted;
  for (const host of [encrypted, await connectEmulator({ url, controlToken, certificate: tls.cert })]) {
    const tenant = await host.tenants.create();
    await tenant.deploy(join(directory, 'one.js'));
    expect((await tenant.client.call('reactors.list')).data).toMatchObject([{ name: 'one' }]);
    await tenant.delete();
  }
  await encrypted.close();
});

test('another process connects to it', async () => {
  const { url, controlToken } = emulator;
  const connected = await connectEmulator({ url, controlToken });
  const tenant = await connected.tenants.create('remote');
  expect((await connected.tenants.list()).map(({ tenant_id }) => tenant_id)).toContain(tenant.tenant_id);
  await tenant.delete();
  await connected.close();
});

test('the command of `emulator exec` connects without an address, from CommonJS', async () => {
  const cwd = await projectDir({});
  await writeFile(
    join(cwd, 'test.cjs'),
    `const { connectEmulator } = require(${JSON.stringify(join(PACKAGE, 'dist/testing.cjs'))});
     connectEmulator().then(async (emulator) => {
       const tenant = await emulator.tenants.create();
       await tenant.clock.advance('1h');
       console.log((await tenant.client.call('tokens.list')).data.length, process.env.TOKENCTL_CONTROL_URL);
       await tenant.delete();
       await emulator.close();
     });`,
  );
  const { stdout, stderr } = await tokenctl('emulator exec -- node test.cjs', { cwd });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^0 http:\/\/127\.0\.0\.1:\d+\/_emulator$/m);
});
