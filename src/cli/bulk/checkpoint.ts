import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { writeFileAtomically } from '../lib/atomic-write.js';
import { CliError, usageError } from '../lib/errors.js';

const state = z.object({
  version: z.literal(1),
  /** Identifies the import; IDs and idempotency keys are derived from it. */
  import_id: z.string(),
  /** Base URL of the service. */
  target: z.string(),
  /** Absent if the service does not disclose it. */
  tenant: z.string().optional(),
  /** Absent for standard input. */
  source: z.object({ bytes: z.number(), modified_ms: z.number() }).optional(),
  /** Number of rows that are done, from the first without a gap. */
  done: z.number(),
  /** Number of the last row that may have been sent. */
  reserved: z.number(),
  imported: z.number(),
  rejected: z.number(),
  /** Length of the rejects file that belongs to `done`. */
  rejects_bytes: z.number(),
  completed: z.boolean(),
});

export type CheckpointState = z.infer<typeof state>;

/** Distinguishes one import from another. */
export interface ImportIdentity {
  target: string;
  tenant: string | undefined;
  source: CheckpointState['source'];
}

/** Creates the state of an import that has not begun. */
export function createState({ target, tenant, source }: ImportIdentity): CheckpointState {
  return {
    version: 1,
    import_id: randomUUID(),
    target,
    ...(tenant !== undefined && { tenant }),
    ...(source && { source }),
    done: 0,
    reserved: 0,
    imported: 0,
    rejected: 0,
    rejects_bytes: 0,
    completed: false,
  };
}

/** Reads the state of an earlier run; undefined if there is none. @throws {CliError} if the file is not a checkpoint. */
async function readState(path: string): Promise<CheckpointState | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return state.parse(JSON.parse(text));
  } catch {
    throw usageError(
      `${path} is not a valid import checkpoint.`,
      'Use another file with --checkpoint, or delete this one.',
    );
  }
}

function assertSameImport(path: string, found: CheckpointState, expected: CheckpointState): void {
  const other = (what: string) =>
    usageError(`The checkpoint ${path} belongs to ${what}.`, 'Delete it to import from the start.');
  if (found.target !== expected.target) throw other(`an import into ${found.target}`);
  if (found.tenant !== expected.tenant) throw other('an import into another tenant');
  if (
    found.source?.bytes !== expected.source?.bytes ||
    found.source?.modified_ms !== expected.source?.modified_ms
  )
    throw other('another file, or to an earlier version of this one');
}

/**
 * The progress of an import on disk, so that it can be killed at any time and resumed. Contains no token data.
 * Each save is atomic.
 */
export class Checkpoint {
  #saving: Promise<void> = Promise.resolve();

  private constructor(
    /** undefined if the progress is not saved. */
    readonly path: string | undefined,
    readonly state: CheckpointState,
    /** An earlier run has begun this import. */
    readonly resumed: boolean,
  ) {}

  /** Opens the checkpoint of an earlier run, or a fresh one. @throws {CliError} if it belongs to another import. */
  static async open(path: string | undefined, fresh: CheckpointState): Promise<Checkpoint> {
    const found = path === undefined ? undefined : await readState(path);
    if (path === undefined || !found) return new Checkpoint(path, fresh, false);
    assertSameImport(path, found, fresh);
    return new Checkpoint(path, found, true);
  }

  /** Saves the current state; resolves when it is on disk. */
  save(): Promise<void> {
    const { path } = this;
    if (path === undefined) return Promise.resolve();
    this.#saving = this.#saving.then(() => this.#write(path, JSON.stringify(this.state)));
    return this.#saving;
  }

  async #write(path: string, text: string): Promise<void> {
    const temporaryPath = `${path}.new`;
    await writeFileAtomically(path, `${text}\n`, { temporaryPath }).catch(
      ({ code }: NodeJS.ErrnoException) => {
        throw new CliError('failed', `The checkpoint ${path} cannot be written: ${code}.`, {
          hint: 'Write it elsewhere with --checkpoint FILE.',
        });
      },
    );
  }
}
