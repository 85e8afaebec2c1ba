import { randomUUID } from 'node:crypto';
import { open, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import packageJson from '../../../../package.json' with { type: 'json' };
import { isProcessAlive } from '../../../contract/process-identity.js';
import type { Context } from '../../command.js';
import { readProjectTarget } from '../../config/project-file.js';
import type { Settings } from '../../config/settings.js';
import { readStateFile, resolveDataDir } from '../../config/state-file.js';
import { configPath, readUserConfig } from '../../config/user-config.js';
import { withEmulator } from '../../emulator/launch.js';
import { type CheckResult, failedCheck, passed, problem } from './check.js';

type Results = AsyncGenerator<CheckResult, void, void>;

/** Reports the versions. The executable itself refuses a Node.js that is too old. */
export async function* checkNode(): Results {
  const { versions, platform, arch } = process;
  yield passed('tokenctl', `${packageJson.version} on Node.js ${versions.node}, ${platform} ${arch}`);
}

const OTHERS = 0o077;

/** Whether other users can read a path. Windows has no such modes. */
const isExposed = (mode: number, platform: NodeJS.Platform): boolean =>
  platform !== 'win32' && (mode & OTHERS) !== 0;

/** Checks the user configuration: that it can be read, only by its owner, and has the current profile. */
export async function* checkConfiguration({ settings }: Context): Results {
  const check = 'configuration';
  const path = configPath(settings.configDir);
  const found = await stat(path).catch(() => undefined);
  if (!found) return yield passed(check, `none at ${path}`);
  const { profiles, current } = await readUserConfig(settings.configDir);
  const names = Object.keys(profiles);
  if (current !== undefined && !names.includes(current)) {
    const fix = `tokenctl profile ${names[0] === undefined ? `add ${current}` : `use ${names[0]}`}`;
    yield problem(check, 'usage', `the current profile ${current} does not exist`, fix);
  } else if (isExposed(found.mode, settings.platform))
    yield problem(check, 'failed', `other users can read ${path}, which holds keys`, `chmod 600 ${path}`);
  else yield passed(check, `${path}, profiles: ${names.join(', ') || 'none'}`);
}

export async function* checkProject({ settings }: Context): Results {
  const project = await readProjectTarget(settings.cwd);
  if (project) yield passed('project file', project.path);
}

const DATA_DIRECTORY = 'data directory';
const OTHER_DIRECTORY = 'Choose another directory: --data-dir DIR (TOKENCTL_DATA_DIR)';

/** Checks that the emulator can use the data directory: mode, writing, damage. Nothing to report if there is none. */
export async function* checkDataDirectory({ settings }: Context): Results {
  const path = resolveDataDir(settings);
  const unusable = (detail: string, fix = OTHER_DIRECTORY) => problem(DATA_DIRECTORY, 'failed', detail, fix);
  const found = await stat(path).catch(({ code }: NodeJS.ErrnoException) => code);
  if (found === 'ENOENT') {
    if (settings.dataDir !== undefined) yield* checkParent(path);
  } else if (typeof found !== 'object') yield unusable(`${path} cannot be read: ${found}`);
  else if (!found.isDirectory()) yield unusable(`${path} is not a directory`);
  else if (isExposed(found.mode, settings.platform))
    yield unusable(`other users can read ${path}, which holds token data`, `chmod 700 ${path}`);
  else {
    const failure = await writeFailure(path);
    if (failure !== undefined)
      return yield unusable(`${path} cannot be written: ${failure}`, await writeFix(failure, path));
    const failed = (error: unknown): CheckResult => ({
      ...failedCheck(DATA_DIRECTORY, error),
      category: 'failed',
    });
    yield await checkDamage(path, settings).catch(failed);
  }
}

/** Checks that `emulator start` can create a directory that was asked for. */
async function* checkParent(path: string): Results {
  const parent = dirname(path);
  const failure = await writeFailure(parent);
  if (failure === 'ENOENT' && parent !== path) return yield* checkParent(parent);
  if (failure === undefined) return;
  const fix = await writeFix(failure, parent);
  yield problem(DATA_DIRECTORY, 'failed', `${path} cannot be created: ${failure}`, fix);
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
  if (code === 'EROFS') return OTHER_DIRECTORY;
  const isOwn = (await stat(path).catch(() => undefined))?.uid === process.getuid?.();
  const change = isOwn ? `chmod u+rwx ${path}` : `sudo chown -R "$(id -un)" ${path}`;
  return `${change}, or choose another directory: --data-dir DIR`;
}

const SHOWN_PLACES = 3;

async function checkDamage(path: string, settings: Settings): Promise<CheckResult> {
  const { pid } = (await readStateFile(settings)) ?? {};
  // Whoever has the directory open has checked it, and holds its lock.
  if (pid !== undefined && isProcessAlive(pid)) return passed(DATA_DIRECTORY, path);
  const damages = await withEmulator(({ checkDataDir }) => checkDataDir(path, { repair: false }));
  if (damages.length === 0) return passed(DATA_DIRECTORY, path);
  const places = damages.map(({ file, line }) => (line === undefined ? file : `${file}:${line}`));
  const more = places.length > SHOWN_PLACES ? ` and ${places.length - SHOWN_PLACES} more` : '';
  const fix = `tokenctl emulator doctor --repair --data-dir ${path}`;
  return problem(
    DATA_DIRECTORY,
    'failed',
    `damaged: ${places.slice(0, SHOWN_PLACES).join(', ')}${more}`,
    fix,
  );
}
