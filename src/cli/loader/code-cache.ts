import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import type { Script } from 'node:vm';

/** Identifies the contents of dist/; set by the build. */
declare const BUILD_ID: string;

const { env, platform } = process;

/** V8 reads only code that the same version of Node.js compiled on the same platform. */
const COMPILER = `${process.version}-${platform}-${process.arch}`;

/** A bundle whose compiled code is stored at the exit of the process. */
export interface CompiledBundle {
  name: string;
  script: Script;
}

const WRITABLE_BY_OTHERS = 0o022;
const READ_NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

/** Returns the name of the file that holds the compiled code of a bundle. */
export function cacheFileName(bundle: string): string {
  return `${bundle.replaceAll('/', '-')}.cache`;
}

/** Returns the directory of the user's cache for this build; undefined when the environment names no home directory. */
export function userCacheDir(): string | undefined {
  const home = platform === 'win32' ? env.LOCALAPPDATA : env.HOME && `${env.HOME}/.cache`;
  const base = env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : home;
  return base ? `${base}/tokenctl/${BUILD_ID}-${COMPILER}` : undefined;
}

/** Whether only this user can have written a file, since its code will run. Windows has no such modes. */
function isTrusted(file: Stats): boolean {
  if (process.getuid === undefined) return file.isFile();
  return file.isFile() && file.uid === process.getuid() && (file.mode & WRITABLE_BY_OTHERS) === 0;
}

function readIfTrusted(path: string): Buffer | undefined {
  const file = openSync(path, READ_NO_LINK);
  try {
    return isTrusted(fstatSync(file)) ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}

/** A cache that cannot be read must not break a start. */
function readIfAny(path: string, read: (path: string) => Buffer | undefined): Buffer | undefined {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}

/**
 * Reads the compiled code of a bundle: the build has stored it for its own version of Node.js next to the bundle; for
 * others a start of the user has. Node's own switch for such caches, and coverage, turn it off.
 */
export function readCodeCache(bundle: string): Buffer | undefined {
  if (env.NODE_DISABLE_COMPILE_CACHE || env.NODE_V8_COVERAGE) return undefined;
  const name = cacheFileName(bundle);
  const built = readIfAny(`${__dirname}/cache/${COMPILER}/${name}`, readFileSync);
  if (built) return built;
  const directory = userCacheDir();
  return directory === undefined ? undefined : readIfAny(`${directory}/${name}`, readIfTrusted);
}
