import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Context } from '../command.js';
import { findUpwards, PROJECT_FILE_NAMES } from '../config/paths.js';
import type { Settings } from '../config/settings.js';
import type { Options } from '../flags/flag.js';
import { CliError, noProjectError, usageError } from '../lib/errors.js';
import { displayPath } from '../reactors/project/selection.js';
import { lockFilePath } from '../tenant-config/lock/lock-file.js';

type LockFlags = Options<'branch' | 'remote'>;

/** Somebody else may push to the branch at the same time. */
const PUSH_ATTEMPTS = 5;

const AUTHOR = { NAME: 'tokenctl', EMAIL: 'tokenctl@localhost' };

/** The Git repository of a project, and the branch that keeps what applies recorded. */
class Repository {
  private constructor(
    readonly directory: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly remote: string,
    readonly branch: string,
  ) {}

  static async open(
    directory: string,
    { branch, remote = 'origin' }: LockFlags,
    { env }: Settings,
  ): Promise<Repository> {
    const found = new Repository(directory, env, remote, branch ?? '');
    if (branch !== undefined) return found;
    await found.git(['rev-parse', '--git-dir']);
    const current = await found.git(['symbolic-ref', '--quiet', '--short', 'HEAD']).catch(() => '');
    if (current === '') throw usageError('No branch is checked out here.', 'Name it: --branch NAME');
    return new Repository(directory, env, remote, current);
  }

  async git(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    try {
      const options = { cwd: this.directory, env: { ...this.env, ...env } };
      return (await promisify(execFile)('git', [...args], options)).stdout.trim();
    } catch (error) {
      const { stderr = '', message } = error as Error & { stderr?: string };
      // A URL may hold a token.
      const said = (stderr.trim() || message).replace(/\/\/[^/@\s]*@/g, '//');
      throw new CliError('failed', `git ${args[0]} failed: ${said}`);
    }
  }

  async fetch(): Promise<void> {
    await this.git(['fetch', '--quiet', '--', this.remote, `refs/heads/${this.branch}`]);
  }

  /** Puts a commit with these files on top of what was fetched. It touches neither what is checked out nor the index. */
  async #commit(files: readonly string[], message: string): Promise<string | undefined> {
    const temporary = await mkdtemp(join(tmpdir(), 'tokenctl-index-'));
    try {
      const index = { GIT_INDEX_FILE: join(temporary, 'index') };
      await this.git(['read-tree', 'FETCH_HEAD'], index);
      await this.git(['add', '--all', '--force', '--', ...files], index);
      const tree = await this.git(['write-tree'], index);
      if (tree === (await this.git(['rev-parse', 'FETCH_HEAD^{tree}']))) return undefined;
      const people = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
        Object.entries(AUTHOR).map(([name, value]) => [`GIT_${role}_${name}`, value]),
      );
      const commit = ['commit-tree', tree, '-p', 'FETCH_HEAD', '-m', message];
      return await this.git(commit, Object.fromEntries(people));
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }

  /** Commits files to the branch. Returns whether it lacked something of them. @throws {CliError} if it refuses them */
  async push(files: readonly string[], message: string): Promise<boolean> {
    await this.fetch();
    for (let attempt = 1; ; attempt++) {
      const commit = await this.#commit(files, message);
      if (commit === undefined) return false;
      try {
        await this.git(['push', '--quiet', '--', this.remote, `${commit}:refs/heads/${this.branch}`]);
        return true;
      } catch (error) {
        // A branch that is where it was has refused the push itself.
        const refused = await this.git(['rev-parse', 'FETCH_HEAD']);
        await this.fetch();
        const hasMoved = refused !== (await this.git(['rev-parse', 'FETCH_HEAD']));
        if (attempt === PUSH_ATTEMPTS || !hasMoved) throw error;
      }
    }
  }
}

function findRecords({ cwd, environment }: Settings): { directory: string; names: string[] } {
  const path = findUpwards(cwd, PROJECT_FILE_NAMES);
  if (path === undefined) throw noProjectError();
  const directory = dirname(path);
  const lock = displayPath(lockFilePath({ path, environment }), directory);
  return { directory, names: [lock, lock.replace(/lock\.json$/, 'versions')] };
}

async function report(files: readonly string[], { branch }: Repository, { output }: Context): Promise<void> {
  await output.result(
    { version: 1, branch, files },
    { redaction: 'plain', render: () => files.join('\n') || 'nothing to do' },
  );
}

export async function pullLock(flags: LockFlags, context: Context): Promise<void> {
  const { directory, names } = findRecords(context.settings);
  const repository = await Repository.open(directory, flags, context.settings);
  await repository.fetch();
  const listed = await repository.git(['ls-tree', '--name-only', 'FETCH_HEAD', '--', ...names]);
  const files = listed.split('\n').filter(Boolean);
  if (files.length > 0) await repository.git(['checkout', '--quiet', 'FETCH_HEAD', '--', ...files]);
  await report(files, repository, context);
}

export async function pushLock(flags: LockFlags, context: Context): Promise<void> {
  const { directory, names } = findRecords(context.settings);
  const { environment } = context.settings;
  const repository = await Repository.open(directory, flags, context.settings);
  const files = names.filter((name) => existsSync(join(directory, name)));
  const message = `Record what was applied${environment === undefined ? '' : ` to ${environment}`} [skip ci]`;
  const isPushed = files.length > 0 && (await repository.push(files, message));
  await report(isPushed ? files : [], repository, context);
}
