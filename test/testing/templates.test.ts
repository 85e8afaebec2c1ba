import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as testing from '../../src/testing/index.js';
import { projectDir, requireOfPackage } from '../support/executable.js';

const { openRunEmulator, startEmulator } = requireOfPackage('tokenctl/emulator') as typeof testing;

const CODE = `let calls = 0;
module.exports = async ({ args, configuration, svc }) => {
  const token = svc && (await svc.tokens.get('card').catch(() => undefined));
  return { raw: { calls: ++calls, configuration, metadata: token?.metadata } };
};`;

const MANIFEST = `applications:
  - name: shop
    type: private
    permissions: [token:read]
reactors:
  - name: charge
    code: charge.js
    application: shop
    configuration:
      URL: \${env:PROCESSOR_URL}
proxies:
  - name: pay
    destination_url: https://processor.example
webhooks:
  - name: shop
    url: https://hooks.example
    events: [token.created]
environments:
  staging:
    reactors:
      - name: charge
        configuration:
          MODE: staging
`;

let emulator: testing.StartedEmulator;
beforeAll(async () => {
  emulator = await startEmulator({ port: 0, rateLimit: false });
});
afterAll(() => emulator.close());

const variables = { PROCESSOR_URL: 'https://processor.example' };

const project = () => projectDir({ 'charge.js': CODE, 'tokenctl.yaml': MANIFEST });

async function react(tenant: testing.Tenant): Promise<unknown> {
  const { data } = await tenant.client.call('reactors.list', { query: { name: 'charge' } });
  return (await tenant.client.call('reactors.react', { path: { id: data[0]?.id ?? '' }, body: {} }))?.raw;
}

test('a manifest is applied with an environment, configuration, and variables', async () => {
  const tenant = await emulator.tenants.create();
  await tenant.apply({
    directory: await project(),
    environment: 'staging',
    config: { CURRENCY: 'EUR' },
    variables,
  });
  const configuration = { URL: variables.PROCESSOR_URL, MODE: 'staging', CURRENCY: 'EUR' };
  expect(await react(tenant)).toMatchObject({ configuration });
  await tenant.delete();
});

test('a tenant that is created from another one has its content, and shares nothing with it', async () => {
  const template = await emulator.tenants.create('template');
  await template.apply({ directory: await project(), variables });
  const body = {
    id: 'card',
    type: 'token',
    data: { of: template.tenant_id },
    metadata: { one: '1' },
  } as const;
  const { fingerprint } = await template.client.call('tokens.create', { body });
  expect(await react(template)).toMatchObject({ calls: 1, metadata: { one: '1' } });
  const copies = await Promise.all([1, 2].map(() => emulator.tenants.create({ from: template })));
  for (const copy of copies) {
    expect(copy.keys).not.toEqual(template.keys);
    expect(await react(copy)).toMatchObject({ calls: 1, metadata: { one: '1' } });
    expect(await copy.client.call('tokens.get', { path: { id: 'card' } })).toMatchObject({
      ...{ tenant_id: copy.tenant_id, fingerprint, metadata: { one: '1' } },
      created_by: (await copy.client.call('applications.list')).data.find(({ name }) => name === 'private')
        ?.id,
    });
    for (const list of ['applications.list', 'reactors.list', 'proxies.list', 'webhooks.list'] as const)
      expect(names(await copy.client.call(list))).toEqual(names(await template.client.call(list)));
    await copy.client.call('tokens.delete', { path: { id: 'card' } });
  }
  expect((await template.client.call('tokens.list')).data).toHaveLength(1);
  const [of, other] = [template, ...copies].map(({ client }) => client.call('proxies.list'));
  expect((await of)?.data[0]?.key).not.toBe((await other)?.data[0]?.key);
  for (const tenant of [template, ...copies]) await tenant.delete();
  await expect(emulator.tenants.create({ from: template })).rejects.toMatchObject({
    problem: { errors: { from: ['must be the ID of a tenant'] } },
  });
});

const names = ({ data }: { data: { name: string }[] }): string[] => data.map(({ name }) => name).sort();

test('a tenant is created from a snapshot of another one, which has changed since', async () => {
  const template = await emulator.tenants.create('template');
  const create = (id: string) =>
    template.client.call('tokens.create', { body: { id, type: 'token', data: id } });
  await create('saved');
  await template.snapshots.save('base');
  await create('later');
  const copy = await emulator.tenants.create({ from: template, snapshot: 'base' });
  expect((await copy.client.call('tokens.list')).data.map(({ id }) => id)).toEqual(['saved']);
  for (const wrong of [{ from: template, snapshot: 'other' }, { snapshot: 'base' }])
    await expect(emulator.tenants.create(wrong)).rejects.toMatchObject({
      problem: { errors: { snapshot: ['must be the name of a snapshot of the tenant from'] } },
    });
  await expect(emulator.tenants.create({ from: { tenant_id: '' } })).rejects.toMatchObject({
    problem: { errors: { from: ['must be the ID of a tenant'] } },
  });
  await copy.delete();
  await template.delete();
});

test('tenants are created from a manifest that is applied once', async () => {
  const own = await projectDir({
    'one.js': CODE,
    'tokenctl.yaml': 'reactors:\n  - name: charge\n    code: one.js\n    configuration: {}\n',
  });
  const first = await emulator.tenants.create({ name: 'first', from: own });
  await writeFile(
    join(own, 'one.js'),
    (await readFile(join(own, 'one.js'), 'utf8')).replace('calls:', 'changed:'),
  );
  const second = await emulator.tenants.create({ name: 'second', from: own });
  expect([await react(first), await react(second)]).toMatchObject([{ calls: 1 }, { calls: 1 }]);
  await first.delete();
  await second.delete();
});

test('a manifest that is not valid is applied again when it is mended', async () => {
  const own = await projectDir({ 'tokenctl.yaml': 'reactors: 1' });
  await expect(emulator.tenants.create({ from: own })).rejects.toThrow('is not valid');
  await writeFile(join(own, 'tokenctl.yaml'), 'tenant: { name: mended }');
  await (await emulator.tenants.create({ from: own })).delete();
});

test('a run leaves no template in an emulator that runs on', async () => {
  const manifest = await projectDir({ 'tokenctl.yaml': 'tenant: { name: run }' });
  const tenants = async () => (await emulator.tenants.list()).map(({ tenant_id }) => tenant_id);
  const before = await tenants();
  const { url, controlToken } = emulator;
  const { address, close } = await openRunEmulator({ url, controlToken, manifest });
  expect(await tenants()).toEqual([...before, address.template?.tenant_id]);
  await close();
  expect(await tenants()).toEqual(before);
});
