import { expect, test } from 'vitest';
import { useSharedEmulator } from '../../../support/shared-emulator.js';

const emulator = useSharedEmulator();

const CODE = 'module.exports = async () => ({ raw: 1 });\n';

test('an apply that takes permissions from its own key needs the name of the application', async () => {
  const { run, write } = await emulator.project({});
  const held = (await run('application get management')).json.permissions as string[];
  const manifest = (permissions: string[]) =>
    JSON.stringify({ applications: [{ name: 'management', type: 'management', permissions }] });
  await write('tokenctl.json', manifest(held.filter((one) => one !== 'webhook:update')));
  const refused = await run('apply --yes');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('--confirm=management');
  expect(refused.stderr).toContain('webhook:update');
  expect((await run('application get management')).json.permissions).toEqual(held);
  expect(await run('plan --out plan.json')).toMatchObject({ code: 0 });
  expect(await run('apply plan.json')).toMatchObject({ code: 2 });
  expect(await run('apply plan.json --confirm=management')).toMatchObject({ code: 0 });
});

test('a change made by hand that an apply overwrites is recorded as a version', async () => {
  const { run, write } = await emulator.project({
    'r.js': CODE,
    'tokenctl.yaml': 'reactors: [{ name: r, code: r.js }]\n',
  });
  expect(await run('apply --yes')).toMatchObject({ code: 0 });
  const byHand = CODE.replace('1', '"by hand"');
  expect(await run(['reactor', 'update', 'r', '--code', byHand])).toMatchObject({ code: 0 });
  await write('r.js', CODE.replace('1', '2'));
  expect(await run('apply --yes')).toMatchObject({ code: 0 });
  expect(await run('reactor rollback r')).toMatchObject({ code: 0 });
  expect((await run('reactor get r')).json.code).toBe(byHand);
  // What an apply replaced and had recorded itself is not recorded twice.
  await run('reactor rollback r --to 1');
  const history = (await run('reactor history r')).json;
  expect(history.data ?? history.versions ?? history).toHaveLength(5);
});
