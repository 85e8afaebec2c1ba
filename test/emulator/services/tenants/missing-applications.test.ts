import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ApplicationType } from '../../../../src/contract/application-types.js';
import { permissionsOfType } from '../../../../src/contract/permissions.js';
import type { Application } from '../../../../src/contract/schemas/index.js';
import { call } from '../../../support/call.js';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '../../../support/emulator.js';
import { projectDir, scratchDir } from '../../../support/executable.js';
import { hasPostgres, postgresOptions } from '../../../support/postgres.js';
import { useServer } from '../../../support/test-server.js';

/** decisions.md, "Safety of people": nothing prints a key that does not work, and a start brings back what is missing. */

let dataDir: string;
beforeEach(async () => {
  dataDir = await projectDir({});
});

/** Starts an emulator for as long as `use` takes. @param warnings receives what it logs */
async function started<Result>(
  use: (emulator: RunningEmulator) => Promise<Result>,
  options: EmulatorOptions = {},
  warnings: string[] = [],
): Promise<Result> {
  const logger = { info: () => {}, warn: (line: string) => void warnings.push(line), error: () => {} };
  const emulator = await startEmulator({ port: 0, dataDir, logger, ...options }, { warmSandbox: false });
  try {
    return await use(emulator);
  } finally {
    await emulator.close();
  }
}

const applicationOf = async (emulator: RunningEmulator, type: ApplicationType) =>
  (await call(emulator, 'GET', '/applications/key', { as: type })).body as Application;

const printedKeys = async () => JSON.parse(await readFile(join(dataDir, 'state.json'), 'utf8')).keys;

const statuses = async (emulator: RunningEmulator) => {
  const keys = Object.values(emulator.keys);
  return Promise.all(
    keys.map(async (key) => (await call(emulator, 'GET', '/applications/key', { key })).status),
  );
};

/** Deletes a seeded application, or its printed key, with the management key. @returns the keys of before */
const deleted = (type: ApplicationType, what: 'application' | 'key', options?: EmulatorOptions) =>
  started(async (emulator) => {
    const { id } = await applicationOf(emulator, type);
    const path = what === 'key' ? `/applications/${id}/keys/${id}` : `/applications/${id}`;
    expect((await call(emulator, 'DELETE', path, { as: 'management' })).status).toBe(204);
    const { [type]: _ended, ...others } = emulator.keys;
    expect(await printedKeys()).toEqual(others);
    return emulator.keys;
  }, options);

describe.each(['application', 'key'] as const)('the %s of a seeded application was deleted', (what) => {
  test.each(['management', 'private', 'public'] as const)('%s', async (type) => {
    const before = await deleted(type, what);
    const warnings: string[] = [];
    const after = await started(
      async (emulator) => {
        expect(await statuses(emulator)).toEqual([200, 200, 200]);
        expect((await call(emulator, 'GET', '/applications/key', { key: before[type] })).status).toBe(401);
        expect(await printedKeys()).toEqual(emulator.keys);
        return emulator.keys;
      },
      {},
      warnings,
    );
    expect(after).toEqual({ ...before, [type]: after[type] });
    expect(warnings).toEqual([expect.stringContaining(`application ${type} of the tenant Emulator`)]);
    expect(warnings.join()).not.toContain(after[type]);
    await started(async (emulator) => expect(emulator.keys).toEqual(after), {}, warnings);
    expect(warnings).toHaveLength(1);
  });
});

test('an application that is back may do what it may do in a fresh emulator', async () => {
  const access = ({ permissions, rules }: Application) => [permissions, rules];
  const fresh = await started(async (emulator) => access(await applicationOf(emulator, 'private')));
  await deleted('private', 'application');
  await started(async (emulator) => expect(access(await applicationOf(emulator, 'private'))).toEqual(fresh));
});

test('a key that the user has fixed stays fixed', async () => {
  const options = { keys: { management: 'fixed-management' } };
  await started(async () => {}, options);
  await deleted('management', 'application');
  await started(async (emulator) => {
    expect(emulator.keys.management).toBe('fixed-management');
    expect(await statuses(emulator)).toEqual([200, 200, 200]);
  }, options);
});

test('a reset brings back what is missing, and prints it', async () => {
  await started(async (emulator) => {
    const { id } = await applicationOf(emulator, 'public');
    await call(emulator, 'DELETE', `/applications/${id}`, { as: 'management' });
    for (const scope of [`/tenants/${emulator.tenant_id}`, '']) {
      const reset = await call(emulator, 'POST', `/_emulator${scope}/reset`, { control: true });
      expect(reset.status).toBe(204);
      const { public: key, ...others } = await printedKeys();
      expect({ ...others, public: emulator.keys.public }).toEqual(emulator.keys);
      expect((await call(emulator, 'GET', '/applications/key', { key })).status).toBe(200);
    }
  });
});

describe.skipIf(!hasPostgres)('in a database that emulators share', () => {
  test.each(['application', 'key'] as const)('the deleted %s is back for all of them', async (what) => {
    const options = await postgresOptions();
    const before = await deleted('private', what, options);
    await started(async (first) => {
      expect(first.keys).toEqual({ ...before, private: first.keys.private });
      expect(first.keys.private).not.toBe(before.private);
      const other = { ...options, dataDir: join(dataDir, 'other') };
      await started(async (second) => {
        expect(second.keys).toEqual(first.keys);
        expect([await statuses(first), await statuses(second)]).toEqual([
          [200, 200, 200],
          [200, 200, 200],
        ]);
      }, other);
    }, options);
  });
});

const server = useServer({ dataDir: scratchDir() });
const as = 'management';

test('the seeded management application keeps permissions that were changed across a restart', async () => {
  const permissions = permissionsOfType('management').slice(1);
  const { id, name } = (await server.get('/applications/key', { as })).body;
  expect((await server.put(`/applications/${id}`, { name, permissions }, { as })).status).toBe(200);
  await server.restart();
  expect((await server.get('/applications/key', { as })).body.permissions).toEqual(permissions);
});
