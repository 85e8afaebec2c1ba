import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTokenctl, tokenctl } from '../../../support/executable.js';
import { useSharedEmulator } from '../../../support/shared-emulator.js';
import { width } from '../../../support/width.js';

const emulator = useSharedEmulator();

const WATCH = 'reactor deploy live.ts --watch -o table';

const react = async (cwd: string, env: Record<string, string>): Promise<string> =>
  (await tokenctl('reactor react live --jq .raw', { cwd, env })).stdout.trim();

test('--watch deploys after a change of any bundled file and continues after an error', async () => {
  const { cwd, env } = await emulator.project({
    'live.ts': `import { word } from './word';\nexport default async () => ({ raw: word });\n`,
    'word.ts': `export const word = 'first';\n`,
  });
  const { printed, waitFor, end } = startTokenctl(WATCH, { cwd, env });
  await waitFor(/created {4}reactor live[\s\S]*Watching \d+ files/);
  await writeFile(join(cwd, 'word.ts'), 'export const word = ;\n');
  await waitFor(/word\.ts: 1:\d+: [\s\S]*Watching/);
  expect(printed()).not.toContain('warning: error:');
  await writeFile(join(cwd, 'word.ts'), `export const word = 'second';\n`);
  await waitFor(
    /\nFailed in \d+ ms\. Watching[\s\S]*\nword\.ts changed\.[\s\S]*updated {4}reactor live[\s\S]*\nDone in \d+ ms\./,
  );
  expect(await react(cwd, env)).toBe('second');
  expect(await end()).toBe(130);
});

test.runIf(width(false, true))('--watch notices imports that were missing or invalid at first', async () => {
  const { cwd, env } = await emulator.project({
    'live.ts': `import { word } from './word';\nimport { later } from './later';\nexport default async () => ({ raw: word + later });\n`,
    'word.ts': 'export const word = ;\n',
  });
  const { printed, waitFor, end } = startTokenctl(WATCH, { cwd, env });
  await waitFor(/word\.ts: 1:\d+: [\s\S]*Watching/);
  await writeFile(join(cwd, 'word.ts'), `export const word = 'first';\n`);
  await waitFor(/(?:resolve ".\/later"[\s\S]*?Watching[\s\S]*?){2}/);
  await writeFile(join(cwd, 'later.ts'), `export const later = ' second';\n`);
  await waitFor(/created {4}reactor live/);
  expect(printed().match(/resolve ".\/later"[\s\S]*?Watching/g)).toHaveLength(2);
  expect(await react(cwd, env)).toBe('first second');
  expect(await end()).toBe(130);
});

test('Ctrl-C during the smoke test restores the previous code', async () => {
  const { run, cwd, env } = await emulator.project({
    'live.js': `module.exports = async () => ({ raw: 'proven' });\n`,
  });
  expect((await run('reactor deploy live.js')).code).toBe(0);
  await writeFile(
    join(cwd, 'live.js'),
    `module.exports = async () => { await new Promise((resolve) => setTimeout(resolve, 20_000)); return { raw: 'slow' }; };\n`,
  );
  const { printed, waitFor, end } = startTokenctl('reactor deploy live.js --smoke {} --debug -o table', {
    cwd,
    env,
  });
  const verified = /PUT \S+\/reactors\/[\da-f-]+ 200/;
  await waitFor(verified);
  expect(await end()).toBe(130);
  expect(printed()).toContain('the previous version was restored');
  expect(await react(cwd, env)).toBe('proven');
});
