import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tokenctl } from '../../../support/executable.js';
import { useSharedEmulator } from '../../../support/shared-emulator.js';

const emulator = useSharedEmulator();

const CODE = `module.exports = async ({ svc }) => ({ raw: svc === null });\n`;
const manifest = (reactor: object): string => JSON.stringify({ reactors: [{ code: 'a.js', ...reactor }] });

test('an application is set by name, kept if the manifest omits it and removed by null', async () => {
  const { run, cwd, env } = await emulator.project({
    'a.js': CODE,
    'by-name/tokenctl.json': manifest({ code: '../a.js', application: 'payments' }),
    'silent/tokenctl.json': manifest({ code: '../a.js' }),
    'none/tokenctl.json': manifest({ code: '../a.js', application: null }),
    'unknown/tokenctl.json': manifest({ code: '../a.js', application: 'nobody' }),
  });
  const { stdout: id } = await run(
    'application create --name payments --type private --permission token:create --quiet --jq .id',
  );
  const deploy = (directory: string) => tokenctl('reactor deploy', { cwd: join(cwd, directory), env });
  const application = async () => (await run('reactor list --jq .data[0].application.id')).stdout;

  expect((await deploy('by-name')).code).toBe(0);
  expect(await application()).toBe(id);
  expect((await deploy('silent')).json.summary.unchanged).toBe(1);
  expect((await deploy('none')).json.objects[0].changes).toEqual([
    { field: 'application', change: 'removed', before: id.trim() },
  ]);
  expect(await application()).toBe('null\n');
  expect(await deploy('unknown')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('There is no application \\"nobody\\"'),
  });
});
