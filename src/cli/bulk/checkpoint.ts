import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { jsonOf } from '../../contract/json.js';
import { writeFileAtomically } from '../lib/atomic-write.js';
import { CliError, describeFileError, usageError, withPath } from '../lib/errors.js';

/** How far an import is, and what distinguishes it from others. */
const checkpointState = z.object({
  version: z.literal(1),
  /** Identifies the import; its IDs and idempotency keys are derived from it. */
  job_id: z.string(),
  /** What idempotency keys are derived from instead, once the service has lost the tokens. */
  repeat_id: z.string().optional(),
  /** IDs of tokens that the service stored lately, which tell whether it still has them. */
  stored: z.array(z.string()).optional(),
  target: z.string(),
  /** Absent if the service does not disclose it. */
  tenant: z.string().optional(),
  /** The file of the rows; absent for standard input. */
  source: z.object({ bytes: z.number(), modified_ms: z.number() }).optional(),
  done: z.number(),
  /** Number of the last row that may have been sent. */
  reserved: z.number(),
  rejected: z.number(),
  /** Length of the rejects file that belongs to `done`. */
  rejects_bytes: z.number(),
  completed: z.boolean(),
});

const NO_PROGRESS = { done: 0, reserved: 0, rejected: 0, rejects_bytes: 0, completed: false };

type CheckpointState = z.infer<typeof checkpointState>;

export type JobIdentity = Pick<CheckpointState, 'target' | 'tenant' | 'source'>;

export const identifyFile = ({ size, mtimeMs }: Stats) => ({ bytes: size, modified_ms: Math.floor(mtimeMs) });

/** Reads the state of an earlier run; undefined if there is none. @throws {CliError} if it is of another job */
async function readState(path: string, job: JobIdentity): Promise<CheckpointState | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw withPath(error, path);
  }
  const { data: state } = checkpointState.safeParse(jsonOf(text));
  if (!state)
    throw usageError(
      `${path} is not a valid checkpoint of an import.`,
      'Use another file with --checkpoint, or delete this one.',
    );
  const other = differenceOf(state, job);
  if (other === undefined) return state;
  throw usageError(`The checkpoint ${path} belongs to ${other}.`, 'Name another file with --checkpoint.');
}

function differenceOf(found: JobIdentity, job: JobIdentity): string | undefined {
  if (found.target !== job.target) return `another service, ${found.target}`;
  if (found.tenant !== job.tenant) return 'another tenant';
  const { bytes, modified_ms } = job.source ?? {};
  if (found.source?.bytes === bytes && found.source?.modified_ms === modified_ms) return undefined;
  return 'another file, or to an earlier version of this one';
}

export function unwritableCheckpoint(path: string, code: string | undefined): CliError {
  return new CliError('failed', `The checkpoint ${path} cannot be written: ${describeFileError(code)}.`, {
    hint: 'Write it elsewhere with --checkpoint FILE.',
  });
}

/** The progress of a bulk job on disk, so that it can be killed at any time and resumed. Contains no token data. */
export class Checkpoint {
  #saving: Promise<void> = Promise.resolve();

  private constructor(
    /** undefined if the progress is not saved. */
    readonly path: string | undefined,
    readonly state: CheckpointState,
    readonly resumed: boolean,
  ) {}

  /** Opens the checkpoint of an earlier run, or a fresh one. @throws {CliError} if it belongs to another job. */
  static async open(path: string | undefined, job: JobIdentity): Promise<Checkpoint> {
    const found = path === undefined ? undefined : await readState(path, job);
    const fresh = { version: 1 as const, job_id: randomUUID(), ...job, ...NO_PROGRESS };
    return new Checkpoint(path, found ?? fresh, found !== undefined);
  }

  /** Begins again with the same token IDs, and idempotency keys that the service does not answer from memory. */
  restart(): void {
    Object.assign(this.state, NO_PROGRESS, { repeat_id: randomUUID(), stored: undefined });
  }

  save(): Promise<void> {
    const { path } = this;
    if (path === undefined) return Promise.resolve();
    this.#saving = this.#saving.then(() =>
      writeFileAtomically(path, `${JSON.stringify(this.state)}\n`).catch(
        ({ code }: NodeJS.ErrnoException) => {
          throw unwritableCheckpoint(path, code);
        },
      ),
    );
    return this.#saving;
  }
}
