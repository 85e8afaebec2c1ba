import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A repository where this takes longer has other problems; the commit is only informative. */
const TIMEOUT_MS = 5_000;

const DESCRIBE = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];

/** Returns the commit that is checked out, with `-dirty` if files were changed; undefined outside of a Git repository. */
export async function readCommit(cwd: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', DESCRIBE, { cwd, timeout: TIMEOUT_MS });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
