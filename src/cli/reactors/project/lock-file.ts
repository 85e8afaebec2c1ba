import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { CliError, usageError } from '../../lib/errors.js';

/** A reactor that a deployment of the manifest created. */
export interface CreatedReactor {
  /** Base URL of the service that has it. */
  base_url: string;
  id: string;
  name: string;
}

const lockFile = z.object({
  version: z.literal(1),
  reactors: z.array(z.object({ base_url: z.string(), id: z.string(), name: z.string() })),
});

const COMMENT =
  'Written by tokenctl reactor deploy. Lists the reactors that this manifest created; --prune deletes no others. Commit this file.';

/** `tokenctl.lock.json` next to the manifest, so that every checkout knows what the manifest created. */
const lockFilePath = (manifestPath: string): string => join(dirname(manifestPath), 'tokenctl.lock.json');

async function read(path: string): Promise<CreatedReactor[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw usageError(`${path} cannot be read (${code}).`);
  }
  try {
    return lockFile.parse(JSON.parse(text)).reactors;
  } catch {
    throw usageError(`${path} is not a valid lock file.`, 'Restore it from version control, or delete it.');
  }
}

async function write(path: string, reactors: readonly CreatedReactor[]): Promise<void> {
  const sorted = [...reactors].sort((one, other) =>
    `${one.base_url} ${one.name} ${one.id}`.localeCompare(
      `${other.base_url} ${other.name} ${other.id}`,
      'en',
    ),
  );
  const text = `${JSON.stringify({ $comment: COMMENT, version: 1, reactors: sorted }, null, 2)}\n`;
  try {
    // The file is committed, so its mode is that of any other source file.
    await writeFileAtomically(path, text, { mode: 0o666 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError('failed', `The lock file ${path} cannot be written (${code}).`, {
      hint: 'Make it writable. Reactors that are not recorded there are never pruned: delete what was created and deploy again.',
    });
  }
}

const isOnThisMachine = (baseUrl: string): boolean =>
  /^(?:local:|https?:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?::|\/|$))/.test(baseUrl);

/** The reactors that deployments of one manifest created. Each change is one atomic write, one at a time. */
export class LockFile {
  #writing: Promise<void> = Promise.resolve();

  private constructor(
    readonly manifestPath: string,
    private reactors: CreatedReactor[],
  ) {}

  /** Opens the lock file of a manifest; a missing file is empty. @throws {CliError} if it is not a valid lock file. */
  static async open(manifestPath: string): Promise<LockFile> {
    return new LockFile(manifestPath, await read(lockFilePath(manifestPath)));
  }

  /** What was created, on any service. */
  get created(): readonly CreatedReactor[] {
    return this.reactors;
  }

  /** Records a reactor. Of local emulators only the latest is kept, since most of them end for good with their port. */
  add(reactor: CreatedReactor): Promise<void> {
    const isKept = ({ base_url }: CreatedReactor) =>
      base_url === reactor.base_url || !isOnThisMachine(reactor.base_url) || !isOnThisMachine(base_url);
    return this.#change((reactors) => [...reactors.filter(isKept), reactor]);
  }

  /** Removes reactors from the record by ID. */
  remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return this.#writing;
    return this.#change((reactors) => reactors.filter(({ id }) => !ids.includes(id)));
  }

  /** Changes the current content of the file, which another deployment of the manifest may have changed. */
  #change(update: (reactors: readonly CreatedReactor[]) => CreatedReactor[]): Promise<void> {
    const path = lockFilePath(this.manifestPath);
    this.#writing = this.#writing.then(async () => {
      this.reactors = update(await read(path));
      await write(path, this.reactors);
    });
    return this.#writing;
  }
}
