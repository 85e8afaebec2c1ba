import { access, constants, stat } from 'node:fs/promises';
import { createControlClient } from '../../../client/control.js';
import { readRunningState, readStateFile, resolveDataDir } from '../../config/state-file.js';
import { isProcessAlive } from '../../lib/process.js';
import type { Check } from './check.js';

const OTHERS = 0o077;

export const checkDataDirectory: Check = async ({ settings }) => {
  const check = 'data directory';
  const path = resolveDataDir(settings);
  const found = await stat(path).catch(() => undefined);
  if (!found) return [];
  if (!found.isDirectory())
    return [
      { check, status: 'problem', detail: `${path} is not a directory`, fix: 'Choose another --data-dir.' },
    ];
  if (settings.platform !== 'win32' && (found.mode & OTHERS) !== 0)
    return [
      {
        check,
        status: 'problem',
        detail: `other users can read ${path}, which contains token data`,
        fix: `chmod 700 ${path}`,
      },
    ];
  const writable = await access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!writable)
    return [
      {
        check,
        status: 'problem',
        detail: `${path} cannot be written`,
        fix: 'Make it writable for your user, or choose another --data-dir.',
      },
    ];
  return [{ check, status: 'ok', detail: path }];
};

export const checkEmulator: Check = async ({ settings, signal }) => {
  const check = 'emulator';
  const state = await readStateFile(settings).catch(() => undefined);
  if (!state) return [{ check, status: 'ok', detail: 'none for this directory' }];
  if (state.pid !== undefined && !isProcessAlive(state.pid))
    return [
      {
        check,
        status: 'warning',
        detail: 'the emulator was killed; its data is kept',
        fix: 'tokenctl emulator start',
      },
    ];
  const running = await readRunningState(settings);
  if (!running) return [{ check, status: 'ok', detail: 'not running' }];
  const control = await createControlClient(running, signal);
  try {
    await control.call('ready');
    return [{ check, status: 'ok', detail: `ready at ${running.base_url}` }];
  } catch {
    return [
      {
        check,
        status: 'problem',
        detail: `process ${running.pid} is running, but the emulator does not respond at ${running.base_url}`,
        fix: `Stop process ${running.pid} if it is an emulator, then run: tokenctl emulator start`,
      },
    ];
  } finally {
    await control.close();
  }
};
