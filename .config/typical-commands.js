// Runs commands against the emulator of `emulator exec`, which starts this file, so that the code cache covers them.
import { execFileSync } from 'node:child_process';

const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '' };
const ID = '00000000-0000-4000-8000-000000000000';

for (const command of [
  ['token', 'create', '--type', 'token', '--data', '1', '--id', ID],
  ['token', 'get', ID],
  ['token', 'list'],
  ['token', 'delete', ID, '--yes'],
  ['reactor', 'list'],
  ['emulator', 'status'],
])
  execFileSync(process.execPath, ['bin/tokenctl.js', ...command], { env, stdio: 'ignore' });
