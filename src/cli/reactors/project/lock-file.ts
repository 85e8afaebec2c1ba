import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { CliError, usageError } from '../../lib/errors.js';

/** A reactor that a deployment of the manifest created. */
export interface CreatedReactor {
  /** Where. */
  base_url: string;
  id: string;
  name: string;
}

const lockFile = z.object({
  version: z.literal(1),
  reactors: z.array(z.object({ base_url: z.string(), id: z.string(), name: z.string() })),
});

const COMMENT =
  'Written by tokenctl reactor deploy: the reactors that this manifest created. --prune deletes of these alone. Commit it.';

/** Lies beside the manifest, so that a checkout knows what the manifest created: `tokenctl.lock.json`. */
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
    throw usageError(
      `${path} is not what tokenctl wrote there.`,
      'Restore it from version control, or delete it.',
    );
  }
}

async function write(path: string, reactors: readonly CreatedReactor[]): Promise<void> {
  const sorted = [...reactors].sort((one, other) =>
    `${one.base_url} ${one.name} ${one.id}`.localeCompare(
      `${other.base_url} ${other.name} ${other.id}`,
      'en',
    ),
  );
  const beside = `${path}.${randomUUID()}`;
  const text = `${JSON.stringify({ $comment: COMMENT, version: 1, reactors: sorted }, null, 2)}\n`;
  try {
    await writeFile(beside, text);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError('failed', `What was created or deleted cannot be recorded in ${path} (${code}).`, {
      hint: 'Make it writable. Until it is recorded there, --prune will not delete what was created: delete that and deploy again.',
    });
  }
}

const isOnThisMachine = (baseUrl: string): boolean =>
  /^(?:local:|https?:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?::|\/|$))/.test(baseUrl);

/** The record of what deployments of one manifest created. Writes one after the other, each of them whole. */
export class LockFile {
  #writing: Promise<void> = Promise.resolve();

  private constructor(
    readonly manifestPath: string,
    private reactors: CreatedReactor[],
  ) {}

  /** @throws {CliError} when the file is there but no record. */
  static async open(manifestPath: string): Promise<LockFile> {
    return new LockFile(manifestPath, await read(lockFilePath(manifestPath)));
  }

  /** What was created on this service. */
  createdOn(baseUrl: string): CreatedReactor[] {
    return this.reactors.filter(({ base_url }) => base_url === baseUrl);
  }

  /** Of emulators the latest alone is remembered: most of them are gone for good with their port. */
  add(reactor: CreatedReactor): Promise<void> {
    const isKept = ({ base_url }: CreatedReactor) =>
      base_url === reactor.base_url || !isOnThisMachine(reactor.base_url) || !isOnThisMachine(base_url);
    return this.#change((reactors) => [...reactors.filter(isKept), reactor]);
  }

  remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return this.#writing;
    return this.#change((reactors) => reactors.filter(({ id }) => !ids.includes(id)));
  }

  /** Of what the file says now: another deployment of the manifest may have written to it meanwhile. */
  #change(changed: (reactors: readonly CreatedReactor[]) => CreatedReactor[]): Promise<void> {
    const path = lockFilePath(this.manifestPath);
    this.#writing = this.#writing.then(async () => {
      this.reactors = changed(await read(path));
      await write(path, this.reactors);
    });
    return this.#writing;
  }
}
