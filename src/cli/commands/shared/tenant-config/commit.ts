import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A repository where this takes longer has other problems; the commit is only informative. */
const TIMEOUT_MS = 5_000;

/** Files that `apply` writes. They do not make the commit dirty. */
const RECORDS = [':(top,exclude,glob)**/tokenctl*.lock.json', ':(top,exclude,glob)**/tokenctl*.versions/**'];

async function git(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd, timeout: TIMEOUT_MS });
  return stdout.trim();
}

export async function readCommit(cwd: string): Promise<string | undefined> {
  try {
    const commit = await git(cwd, 'rev-parse', 'HEAD');
    const status = ['status', '--porcelain', '--untracked-files=no', '--', ':(top)', ...RECORDS];
    return (await git(cwd, ...status)) === '' ? commit : `${commit}-dirty`;
  } catch {
    return undefined;
  }
}
