import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmulator, type EmulatorParts } from '../../emulator/create-emulator.js';
import { createControlClient, readEvents } from '../../src/client/control.js';
import { createClient } from '../../src/client/index.js';
import {
  CONTROL_IDS,
  CONTROL_PREFIX,
  controlEndpoint,
  TENANT_SCOPE,
} from '../../src/contract/control/endpoints.js';
import { emulatorEvent } from '../../src/contract/control/events.js';
import { parseStateFile } from '../../src/contract/control/state-file.js';
import { reactorTrace } from '../../src/contract/control/traces.js';
import { EVENT_KINDS } from '../../src/contract/control/vocabulary.js';
import { startEmulator } from '../support/emulator.js';
import { projectDir } from '../support/executable.js';
import { startStub } from '../support/http-server.js';

const table = CONTROL_IDS.map((id) => {
  const { method, path } = controlEndpoint(id);
  return `${method} ${CONTROL_PREFIX}${path}`;
});

const tenantTable = CONTROL_IDS.flatMap((id) => {
  const { method, path, perTenant } = controlEndpoint(id);
  return perTenant ? [`${method} ${CONTROL_PREFIX}${TENANT_SCOPE}${path}`] : [];
});

/** Collects the routes below `/_emulator` from the tree that the framework prints, parameters in braces. */
function controlRoutes({ app }: EmulatorParts): string[] {
  const parents: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', name = '', methods] = /^(.*)── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
      const depth = Math.floor(indent.length / 4);
      parents[depth] = name.replace(/:(\w+)/g, '{$1}');
      const path = parents.slice(0, depth + 1).join('');
      return methods === undefined ? [] : methods.split(', ').map((method) => `${method} ${path}`);
    })
    .filter((route) => route.includes(` ${CONTROL_PREFIX}/`));
}

describe('the table of control endpoints', () => {
  let parts: EmulatorParts;
  beforeAll(async () => {
    parts = await createEmulator({});
  });
  afterAll(() => parts.close());

  it('has exactly the endpoints that the emulator serves, but for the files of the dashboard', () => {
    const served = controlRoutes(parts);
    const files = /^GET \/_emulator\/ui\//;
    // The router knows a parameter by its place, not by its name.
    const withoutNames = (routes: string[]) =>
      routes.map((route) => route.replace(/\{\w+\}(\|\{\w+\})?/g, '{}')).sort();
    expect(withoutNames(served.filter((route) => !files.test(route)))).toEqual(
      withoutNames([...table, ...tenantTable]),
    );
  });

  it('has every endpoint in docs/emulator-api.md', async () => {
    const page = await readFile(new URL('../../docs/emulator-api.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^- `((?:GET|POST|PUT|DELETE) \/_emulator[^`]*)`:/gm)].map(
      ([, route]) => route,
    );
    expect(rows.sort()).toEqual([...table].sort());
  });
});

const REACTOR = `module.exports = async ({ args, svc }) => {
  console.log('hello');
  await fetch(args.url);
  await svc.tokens.list();
  return { raw: {} };
}`;

describe('what a running emulator writes follows the schemas of the contract', () => {
  it('the state file, while it runs and afterwards', async () => {
    const dataDir = await projectDir({});
    const emulator = await startEmulator({ port: 0, dataDir, memory: true, headerPrefix: 'ACME' });
    const read = async () => parseStateFile(JSON.parse(await readFile(join(dataDir, 'state.json'), 'utf8')));
    const { url, keys, tenant_id, webhook_secret, controlToken } = emulator;
    expect(await read()).toMatchObject({
      base_url: url,
      header_prefix: 'ACME',
      keys,
      tenant_id,
      control_token: controlToken,
      tenants: [{ tenant_id, keys, webhook_secret }],
    });
    await emulator.close();
    expect(await read()).not.toHaveProperty('base_url');
  });

  it('an object without a control token is not a state file', () =>
    expect(parseStateFile({ data_dir: '/data', tenants: [] })).toBeUndefined());

  it('events of every kind, and the traces of an invocation', async () => {
    const stub = await startStub({ body: {} });
    const emulator = await startEmulator({ port: 0, rateLimit: false });
    const client = createClient({ baseUrl: emulator.url, apiKey: emulator.keys });
    const { signal } = new AbortController();
    const state = { base_url: emulator.url, control_token: emulator.controlToken };
    const control = await createControlClient(state, signal);
    try {
      await control.call('reset');
      const application = await client.call('applications.create', {
        body: { name: 'one', type: 'private', permissions: ['token:read'] },
      });
      await client.call('webhooks.create', {
        body: { name: 'one', url: stub.url, events: ['reactor.created'] },
      });
      const reactor = await client.call('reactors.create', {
        body: { name: 'one', code: REACTOR, configuration: {}, application: { id: application.id } },
      });
      const path = { id: reactor.id };
      const args = { url: `${stub.url}/?secret=1` };
      const headers = { 'SVC-TRACE-ID': 'traced' };
      await client.call('reactors.react', { path, body: { args }, headers });
      await client.call('reactors.react', { path, body: { args, callback_url: stub.url } });
      await control.call('clock.change', { body: { advance: '1m' } });
      await control.call('faults.clear');
      await control.call('snapshots.save', { body: { name: 'one' } });
      await control.call('snapshots.restore', { path: { name: 'one' } });

      const { traces } = await control.call('traces.get', { path: { traceId: 'traced' } });
      expect(traces.map((trace) => reactorTrace.parse(trace).requests.length)).toEqual([1]);
      const kinds = new Set<string>();
      for await (const event of readEvents(state, { recent: 1_000, follow: true }, signal)) {
        kinds.add(emulatorEvent.parse(event).kind);
        if (kinds.size === EVENT_KINDS.length) break;
      }
      expect([...kinds].sort()).toEqual([...EVENT_KINDS].sort());
    } finally {
      await control.close();
      await client.close();
      await emulator.close();
    }
  });
});
