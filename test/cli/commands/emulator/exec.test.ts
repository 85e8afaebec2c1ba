import { expect, test } from 'vitest';
import { CERTIFICATE, CERTIFICATE_KEY } from '../../../support/certificates.js';
import { tokenctl } from '../../../support/executable.js';
import { projectDir } from '../../../support/project-dir.js';

const CALL = `
const { TOKENCTL_BASE_URL: url, TOKENCTL_PRIVATE_KEY: key } = process.env;
const response = await fetch(url + '/ping', { headers: { 'SVC-API-KEY': key } });
console.log(new URL(url).protocol, response.status);
`;

test('--tls-cert and --tls-key serve https to the command', async () => {
  const cwd = await projectDir({ 'cert.pem': CERTIFICATE, 'key.pem': CERTIFICATE_KEY, 'call.mjs': CALL });
  const tls = ['--tls-cert', 'cert.pem', '--tls-key', 'key.pem'];
  const ran = await tokenctl(['emulator', 'exec', ...tls, '--', process.execPath, 'call.mjs'], {
    cwd,
    env: { NODE_EXTRA_CA_CERTS: `${cwd}/cert.pem` },
  });
  expect([ran.code, ran.stdout]).toEqual([0, 'https: 200\n']);
});

test('a missing file of --access is named as such', async () => {
  const cwd = await projectDir({});
  const ran = await tokenctl(['emulator', 'exec', '--access', 'missing.yaml', '--', 'true'], { cwd });
  expect([ran.code, ran.stderr]).toEqual([
    2,
    expect.stringContaining(
      '--access missing.yaml cannot be read: there is no such file or directory (ENOENT).',
    ),
  ]);
});
