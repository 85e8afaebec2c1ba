import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir, type Ran, tokenctl } from '../../support/executable.js';
import { useSharedEmulator } from '../../support/shared-emulator.js';
import { width } from '../../support/width.js';

const emulator = useSharedEmulator();

const SECRETS = {
  env: 'sk_env "4711"/+',
  file: 'sk_file_line_1\nsk_file_line_2',
  command: 'sk_command_4713',
  envFile: 'sk_env_file_4714',
  config: 'sk_config_4715',
};

/** Reports every value of its configuration, in the forms in which code sends it. */
const FORMS = `
  const values = Object.values(configuration);
  const forms = values.flatMap((value) => [
    value, JSON.stringify({ value }), encodeURIComponent(value), Buffer.from(value).toString('base64'),
    Buffer.from('user:' + value).toString('base64'), Buffer.from('u' + value + ':').toString('base64'),
    Buffer.from(value).toString('hex'), 'x'.repeat(250) + value,
  ]);`;
const RETURNS = `module.exports = async ({ configuration }) => {${FORMS} return { raw: { forms } }; };\n`;
const THROWS = `module.exports = async ({ configuration }) => {${FORMS} console.log(forms); throw new Error(forms.join('\\n')); };\n`;
const SUCCEEDS = 'module.exports = async () => ({ raw: "fine" });\n';

const MANIFEST = `
reactors:
  - name: leaky
    code: leaky.js
    configuration: { ENV: "\${env:SECRET}", FILE: "\${file:secret.txt}", COMMAND: "\${command:cat command.txt}" }
    env_file: reactor.env
    smoke: [{ name: proves, args: {}, expect: { raw: other } }]
`;

const project = (code: string) =>
  projectDir({
    'leaky.js': code,
    'tokenctl.yaml': MANIFEST,
    'secret.txt': `${SECRETS.file}\n`,
    'command.txt': `${SECRETS.command}\n`,
    'reactor.env': `ENV_FILE=${SECRETS.envFile}\n`,
  });

/** What the command left for others to read, without the lines that teach the runner its masks. */
const printed = ({ stdout, stderr }: Ran, summary = ''): string =>
  [stdout, stderr, summary].join('\n').replace(/^::add-mask::.*$/gm, '');

function expectHidden(text: string): void {
  for (const secret of Object.values(SECRETS).flatMap((value) => value.split('\n')))
    for (const form of [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      Buffer.from(`user:${secret}`).toString('base64').slice(8).replace(/=+$/, '').slice(0, -1),
      Buffer.from(secret).toString('hex'),
    ])
      expect(text).not.toContain(form);
  expect(text).toContain('***');
}

async function environment(cwd: string) {
  const target = await emulator.tenant();
  return {
    ...target.env,
    SECRET: SECRETS.env,
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
  };
}

test.each(width(['table'], ['json', 'table', 'yaml']))('apply prints no secret, as %s', async (output) => {
  for (const code of [RETURNS, THROWS]) {
    const cwd = await project(code);
    const env = await environment(cwd);
    const flags = ['--allow-command', '--yes', '--output', output];
    const ran = await tokenctl(['apply', ...flags], { cwd, env });
    expect(ran.code).toBe(1);
    expectHidden(printed(ran, await readFile(env.GITHUB_STEP_SUMMARY, 'utf8')));
    for (const secret of [SECRETS.command, SECRETS.envFile, 'sk_file_line_1'])
      expect(ran.stderr).toContain(`::add-mask::${secret}\n`);
  }
});

test.each([RETURNS, THROWS])('no resolved secret is printed by reactor run', async (code) => {
  const cwd = await project(code);
  await writeFile(join(cwd, 'tokenctl.yaml'), MANIFEST.replace(/, COMMAND: "[^"]*"/, ''));
  const args = ['leaky.js', '--config', `GIVEN=${SECRETS.config}`, '--debug'];
  expectHidden(printed(await tokenctl(['reactor', 'run', ...args], { cwd, env: await environment(cwd) })));
});

test('no resolved secret is printed by --smoke and react', async () => {
  const cwd = await project(SUCCEEDS);
  const env = await environment(cwd);
  const flags = ['--allow-command', '--config', `GIVEN=${SECRETS.config}`];
  await writeFile(join(cwd, 'tokenctl.yaml'), MANIFEST.replace(/smoke: .*/, ''));
  expect((await tokenctl(['reactor', 'deploy', ...flags], { cwd, env })).code).toBe(0);
  await writeFile(join(cwd, 'leaky.js'), THROWS);
  expectHidden(printed(await tokenctl(['reactor', 'deploy', ...flags, '--smoke', '{}'], { cwd, env })));
  expect((await tokenctl(['reactor', 'deploy', ...flags], { cwd, env })).code).toBe(0);
  const reacted = printed(await tokenctl('reactor react leaky', { cwd, env }));
  for (const secret of [SECRETS.envFile, 'sk_file_line_1', encodeURIComponent(SECRETS.env)])
    expect(reacted).not.toContain(secret);
});

test('values that say nothing hide nothing', async () => {
  const cwd = await projectDir({ 'a.js': SUCCEEDS });
  const values = ['EMPTY=', 'ON=true', 'ONE=1', 'NAME=fine', 'STAGE=production'];
  const ran = await tokenctl(['reactor', 'run', 'a.js', ...values.flatMap((one) => ['--config', one])], {
    cwd,
  });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).not.toContain('***');
});
