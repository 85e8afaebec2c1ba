import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { writeFileAtomically } from '../lib/atomic-write.js';
import { CliError, usageError } from '../lib/errors.js';

const state = z.object({
  version: z.literal(1),
  /** Names this import for the service: ids and idempotency keys come from it. */
  import_id: z.string(),
  /** The base URL. */
  target: z.string(),
  /** Absent where the service does not tell. */
  tenant: z.string().optional(),
  /** Of a file; absent for standard input. */
  source: z.object({ bytes: z.number(), modified_ms: z.number() }).optional(),
  /** Rows that are done, from the first on without a gap. */
  done: z.number(),
  /** No row after this one was ever sent. */
  reserved: z.number(),
  imported: z.number(),
  rejected: z.number(),
  /** Length of the rejects file when `done` rows were done. */
  rejects_bytes: z.number(),
  completed: z.boolean(),
});

export type CheckpointState = z.infer<typeof state>;

/** What tells one import from another. */
export interface ImportIdentity {
  target: string;
  tenant: string | undefined;
  source: CheckpointState['source'];
}

export function newState({ target, tenant, source }: ImportIdentity): CheckpointState {
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

/** The state an earlier run left, if it left one. @throws {CliError} when the file is something else. */
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
      `${path} is no checkpoint of an import.`,
      'Name another file with --checkpoint, or delete it.',
    );
  }
}

function refuseOther(path: string, found: CheckpointState, expected: CheckpointState): void {
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
 * How far an import has come, on disk, so that it can be killed at any moment and started again. Holds no token data.
 * Every save is whole: written beside, synced, renamed.
 */
export class Checkpoint {
  #saving: Promise<void> = Promise.resolve();

  private constructor(
    /** undefined: nothing is kept. */
    readonly path: string | undefined,
    readonly state: CheckpointState,
    /** An earlier run began. */
    readonly resumed: boolean,
  ) {}

  /** @throws {CliError} when the file belongs to another import. */
  static async open(path: string | undefined, fresh: CheckpointState): Promise<Checkpoint> {
    const found = path === undefined ? undefined : await readState(path);
    if (path === undefined || !found) return new Checkpoint(path, fresh, false);
    refuseOther(path, found, fresh);
    return new Checkpoint(path, found, true);
  }

  /** Resolves when the state as it is now is on disk. */
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
