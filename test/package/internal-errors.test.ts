import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXECUTABLE, projectDir, runProgram } from '../support/executable.js';
import { ROOT } from '../support/packed-package.js';

/** Code of an install in which the host fails once, when code logs a stack: an error that the emulator does not expect. */
const BROKEN = `
  let failed = false;
  exports.ErrorLocator = class {
    correct(text) {
      if (failed) return text;
      failed = true;
      return require('node:fs').readFileSync('/missing');
    }
  };`;

/** Copies what the command needs. @returns the directory */
async function copyInstall(): Promise<string> {
  const install = await projectDir({});
  for (const name of ['bin', 'dist', 'package.json'])
    await cp(join(ROOT, name), join(install, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(install, 'node_modules'));
  return install;
}

test.skipIf(process.platform === 'win32')('an emulator with replaced files goes on or says so', async () => {
  const [cwd, install] = [await projectDir({}), await copyInstall()];
  const cli = `"${process.execPath}" "${EXECUTABLE}"`;
  const script = `${cli} token list && ${cli} emulator status && rm -r "${install}/dist/emulator" &&
    ${cli} token create --type token --data '"x"' && ${cli} proxy send --url http://127.0.0.1:9/ -o table`;
  const args = ['emulator', 'exec', '--allow-net', '--', 'sh', '-c', script];
  const ran = await runProgram(process.execPath, [join(install, 'bin/tokenctl.js'), ...args], { cwd });
  expect(ran.stdout).toContain('"fingerprint"');
  expect(ran.stderr).toContain(
    'error: tokenctl was built again or updated while this emulator ran. Restart it.',
  );
});

test('an unexpected error of the host is hidden from the code, and logged with its stack and trace ID', async () => {
  const code = "module.exports = async ({ args }) => console.log(new Error('odd').stack);";
  const cwd = await projectDir({ 'log.js': code });
  const install = await copyInstall();
  await writeFile(join(install, 'dist/sandbox-error-positions.cjs'), BROKEN);
  const args = ['reactor', 'run', 'log.js', '--arg', 'card=4242424242424242'];
  const ran = await runProgram(process.execPath, [join(install, 'bin/tokenctl.js'), ...args], { cwd });
  expect(ran.code).toBe(1);
  const traceId = /Internal error\. Search the emulator log for trace ID ([\w-]{36})\./.exec(ran.stderr)?.[1];
  const [logged = '', answer = ''] = ran.stderr.split(/^(?=\{)/m);
  expect(logged).toMatch(
    new RegExp(
      `^error: Code of reactor \\S+ met an internal error, trace ID ${traceId}: Error \\[ENOENT\\]\\n[^]*readFileSync`,
    ),
  );
  expect(answer).not.toMatch(/ENOENT|readFileSync/);
  expect(ran.stderr).not.toContain('4242424242');
});
