import { readFile, rm } from 'node:fs/promises';
import * as z from 'zod';
import { writeFileAtomically } from '../lib/atomic-write.js';
import { CliError, usageError } from '../lib/errors.js';
import { describeFileError, withPath } from '../lib/file-error.js';

const progress = z.object({
  version: z.literal(1),
  /** Base URL of the service. */
  target: z.string(),
  /** Absent if the service does not disclose it. */
  tenant: z.string().optional(),
  /** The file of the rows; absent for standard input. */
  source: z.object({ bytes: z.number(), modified_ms: z.number() }).optional(),
  /** Number of rows that are done, from the first without a gap. */
  done: z.number(),
  /** Number of the last row that may have been sent. */
  reserved: z.number(),
  rejected: z.number(),
  /** Length of the rejects file that belongs to `done`. */
  rejects_bytes: z.number(),
  completed: z.boolean(),
});

/** How far a bulk job is. */
type CheckpointState = z.infer<typeof progress>;

/** What bulk jobs store in their checkpoints. */
const CHECKPOINTS = {
  import: progress.extend({
    /** Identifies the import; IDs and idempotency keys are derived from it. */
    import_id: z.string(),
  }),
  deletion: progress.extend({
    /** SHA-256 of the query that found the tokens: the query itself may contain token data. */
    query_hash: z.string(),
  }),
};

type Kind = keyof typeof CHECKPOINTS;
type StateOf<K extends Kind> = z.infer<(typeof CHECKPOINTS)[K]>;

/** Distinguishes one job from another. */
export type JobIdentity = Pick<CheckpointState, 'target' | 'tenant' | 'source'>;

/** Creates the state of a job that has not begun. */
export function createState({ target, tenant, source }: JobIdentity): CheckpointState {
  return {
    version: 1,
    target,
    ...(tenant !== undefined && { tenant }),
    ...(source && { source }),
    done: 0,
    reserved: 0,
    rejected: 0,
    rejects_bytes: 0,
    completed: false,
  };
}

/** Reads the state of an earlier run; undefined if there is none. @throws {CliError} if the file is not such a checkpoint. */
async function readState<K extends Kind>(path: string, kind: K): Promise<StateOf<K> | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw withPath(error, path);
  }
  try {
    return CHECKPOINTS[kind].parse(JSON.parse(text)) as StateOf<K>;
  } catch {
    throw usageError(
      `${path} is not a valid checkpoint of ${kind === 'import' ? 'an import' : 'a deletion'}.`,
      'Use another file with --checkpoint, or delete this one.',
    );
  }
}

function assertSameJob(path: string, found: CheckpointState, expected: CheckpointState): void {
  const other = (what: string) =>
    usageError(`The checkpoint ${path} belongs to ${what}.`, 'Delete it to start over.');
  if (found.target !== expected.target) throw other(`another service, ${found.target}`);
  if (found.tenant !== expected.tenant) throw other('another tenant');
  if ('query_hash' in found && 'query_hash' in expected && found.query_hash !== expected.query_hash)
    throw other('a deletion with another query');
  if (
    found.source?.bytes !== expected.source?.bytes ||
    found.source?.modified_ms !== expected.source?.modified_ms
  )
    throw other(
      'query_hash' in found ? 'another list of tokens' : 'another file, or to an earlier version of this one',
    );
}

/** Creates the error of a checkpoint whose file, or lock, cannot be written. */
export function unwritableCheckpoint(path: string, code: string | undefined): CliError {
  return new CliError('failed', `The checkpoint ${path} cannot be written: ${describeFileError(code)}.`, {
    hint: 'Write it elsewhere with --checkpoint FILE.',
  });
}

/**
 * The progress of a bulk job on disk, so that it can be killed at any time and resumed. Contains no token data.
 * Each save is atomic.
 */
export class Checkpoint<State extends CheckpointState = CheckpointState> {
  #saving: Promise<void> = Promise.resolve();

  private constructor(
    /** undefined if the progress is not saved. */
    readonly path: string | undefined,
    readonly state: State,
    /** An earlier run has begun this job. */
    readonly resumed: boolean,
  ) {}

  /** Opens the checkpoint of an earlier run, or a fresh one. @throws {CliError} if it belongs to another job. */
  static async open<K extends Kind>(
    kind: K,
    path: string | undefined,
    fresh: StateOf<K>,
  ): Promise<Checkpoint<StateOf<K>>> {
    const found = path === undefined ? undefined : await readState(path, kind);
    if (path === undefined || !found) return new Checkpoint(path, fresh, false);
    assertSameJob(path, found, fresh);
    return new Checkpoint(path, found, true);
  }

  /** Saves the current state; resolves when it is on disk. */
  save(): Promise<void> {
    const { path } = this;
    if (path === undefined) return Promise.resolve();
    this.#saving = this.#saving.then(() => this.#write(path, JSON.stringify(this.state)));
    return this.#saving;
  }

  /** Removes the file of a job that is done. */
  async remove(): Promise<void> {
    if (this.path !== undefined) await rm(this.path, { force: true });
  }

  async #write(path: string, text: string): Promise<void> {
    const temporaryPath = `${path}.new`;
    await writeFileAtomically(path, `${text}\n`, { temporaryPath }).catch(
      ({ code }: NodeJS.ErrnoException) => {
        throw unwritableCheckpoint(path, code);
      },
    );
  }
}
