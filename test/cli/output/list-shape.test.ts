import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDefinitions } from '../../../src/cli/definitions/index.js';
import { tokenctl } from '../../support/executable.js';
import { type SharedEmulator, startSharedEmulator, type TestTarget } from '../../support/shared-emulator.js';

const { commands } = await loadDefinitions();

const LISTS = [
  ...commands.map(({ name }) => name).filter((name) => name.endsWith(' list')),
  ...[
    'application key list private',
    'webhook event-types',
    'log entity-types',
    'application who-can token:read',
    'auth can-i token:read',
  ],
  ...['emulator requests', 'emulator logs', 'reactor logs echo', 'emulator doctor --data-dir none'],
];

let cwd: string;
let emulator: SharedEmulator;
let target: TestTarget;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'tokenctl-lists-'));
  emulator = await startSharedEmulator({ dataDir: join(cwd, '.tokenctl'), memory: true });
  target = await emulator.tenant();
  const code = 'module.exports = async () => ({})';
  const create = ['reactor', 'create', '--name', 'echo', '--code', code];
  expect(await tokenctl(create, { cwd, env: target.env })).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await emulator.close();
  await rm(cwd, { recursive: true, force: true });
});

test.concurrent.each(LISTS)('`%s` prints { data, pagination } (cli.md, Output)', async (list) => {
  const words = [...list.split(' '), '--json'];
  const { stdout, stderr, code } = await tokenctl(words, { cwd, env: target.env });
  expect([code, stderr]).toEqual([0, '']);
  const { data, pagination, ...others } = JSON.parse(stdout);
  expect({ data, pagination, others }).toEqual({
    data: expect.any(Array),
    pagination: expect.objectContaining({ total_items: expect.any(Number) }),
    others: {},
  });
});
