import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { loadDefinitions } from '../../../src/cli/definitions/index.js';
import { scratchDir, tokenctl } from '../../support/executable.js';
import { type TestTarget, useSharedEmulator } from '../../support/shared-emulator.js';

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
  ...['emulator requests', 'emulator logs', 'reactor logs echo', 'emulator doctor --data-dir empty'],
];

const cwd = scratchDir();
const emulator = useSharedEmulator({ dataDir: join(cwd, '.tokenctl'), memory: true });
let target: TestTarget;

beforeAll(async () => {
  await mkdir(join(cwd, 'empty'));
  target = await emulator.tenant();
  const code = 'module.exports = async () => ({})';
  const create = ['reactor', 'create', '--name', 'echo', '--code', code];
  expect(await tokenctl(create, { cwd, env: target.env })).toMatchObject({ code: 0 });
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
