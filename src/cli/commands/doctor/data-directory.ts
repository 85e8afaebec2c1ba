import { randomUUID } from 'node:crypto';
import { open, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isProcessAlive } from '../../../contract/process-identity.js';
import type { Context } from '../../command.js';
import { readStateFile, resolveDataDir } from '../../config/state-file.js';
import { checkDataDir } from '../../emulator/launch.js';
import { CliError } from '../../lib/errors.js';
import { type CheckResult, passed, problem } from './check.js';

const CHECK = 'data directory';
/** Permission bits of users other than the owner. */
const OTHERS = 0o077;
const SHOWN_PLACES = 3;

/** Checks that the emulator can use the data directory: mode, writing, damage. Nothing to report if there is none. */
export async function checkDataDirectory({ settings }: Context): Promise<CheckResult[]> {
  const path = resolveDataDir(settings);
  const found = await stat(path).catch(({ code }: NodeJS.ErrnoException) => code);
  if (found === 'ENOENT') return settings.dataDir === undefined ? [] : checkParent(path);
  const other = 'Choose another directory: --data-dir DIR (TOKENCTL_DATA_DIR)';
  if (typeof found !== 'object') return [problem(CHECK, 'failed', `${path} cannot be read: ${found}`, other)];
  if (!found.isDirectory()) return [problem(CHECK, 'failed', `${path} is not a directory`, other)];
  if (settings.platform !== 'win32' && (found.mode & OTHERS) !== 0)
    return [
      problem(CHECK, 'failed', `other users can read ${path}, which holds token data`, `chmod 700 ${path}`),
    ];
  const failure = await writeFailure(path);
  if (failure !== undefined)
    return [problem(CHECK, 'failed', `${path} cannot be written: ${failure}`, await writeFix(failure, path))];
  try {
    const state = await readStateFile(settings);
    // Whoever has the directory open has checked it, and holds its lock.
    if (state?.pid !== undefined && isProcessAlive(state.pid)) return [passed(CHECK, path)];
    return [await checkDamage(path)];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [problem(CHECK, 'failed', error.failure.detail, error.failure.hint ?? other)];
  }
}

/** Checks that `emulator start` can create a directory that was asked for. */
async function checkParent(path: string): Promise<CheckResult[]> {
  const parent = dirname(path);
  const failure = await writeFailure(parent);
  if (failure === undefined) return [];
  if (failure === 'ENOENT' && parent !== path) return checkParent(parent);
  return [problem(CHECK, 'failed', `${path} cannot be created: ${failure}`, await writeFix(failure, parent))];
}

/** Writes a file and removes it. @returns Node's code if that fails */
async function writeFailure(directory: string): Promise<string | undefined> {
  const path = join(directory, `.doctor-${randomUUID()}`);
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile('x').finally(() => file.close());
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  } finally {
    await unlink(path).catch(() => {});
  }
}

async function writeFix(code: string, path: string): Promise<string> {
  if (code === 'ENOSPC') return `Free disk space: df -h ${path}`;
  if (code === 'EROFS') return 'Choose another directory: --data-dir DIR (TOKENCTL_DATA_DIR)';
  const isOwn = (await stat(path).catch(() => undefined))?.uid === process.getuid?.();
  const change = isOwn ? `chmod u+rwx ${path}` : `sudo chown -R "$(id -un)" ${path}`;
  return `${change}, or choose another directory: --data-dir DIR`;
}

async function checkDamage(path: string): Promise<CheckResult> {
  const damages = await checkDataDir(path, { repair: false });
  if (damages.length === 0) return passed(CHECK, path);
  const places = damages.map(({ file, line }) => (line === undefined ? file : `${file}:${line}`));
  const more = places.length > SHOWN_PLACES ? ` and ${places.length - SHOWN_PLACES} more` : '';
  const fix = `tokenctl emulator doctor --repair --data-dir ${path}`;
  return problem(CHECK, 'failed', `damaged: ${places.slice(0, SHOWN_PLACES).join(', ')}${more}`, fix);
}
