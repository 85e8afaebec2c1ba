import { lstatSync } from 'node:fs';
import * as z from 'zod';
import { jsonOf } from '../../../contract/json.js';
import { writeFileAtomically } from '../../lib/atomic-write.js';
import { assertVersionKnown } from '../../lib/document.js';
import { CliError, usageError } from '../../lib/errors.js';
import { readTextFile } from '../../lib/text-file.js';
import { KINDS } from '../resources/content.js';

const version = z.object({
  /** Counts the versions of the object, from 1. */
  number: z.int(),
  /** SHA-256 of everything but configuration values. */
  hash: z.string(),
  deployed_at: z.string(),
  /** The commit of the working directory; ends in `-dirty` if files were changed. */
  commit: z.string().optional(),
  application: z.string().nullable(),
  /** Names of the configuration, with the reference that provides the value if there is one. */
  configuration: z.record(z.string(), z.string().nullable()),
});

const lockedObject = z.object({
  kind: z.enum(KINDS),
  name: z.string(),
  /** Empty while it is being created: an apply that ended there leaves the intent, which the next one resolves. */
  id: z.string(),
  /** Whether an apply of this manifest created it; only then may --prune delete it. */
  created: z.boolean(),
  /** The last versions, oldest first; only of reactors. */
  versions: z.array(version).optional(),
});

const lockedService = z.object({
  /** Base URL, or the name of a profile or `emulator` on this machine, where addresses change. */
  service: z.string(),
  tenant_id: z.string(),
  /** For those who read the file. */
  tenant_name: z.string().optional(),
  objects: z.array(lockedObject),
});

const LOCK_VERSION = 2;

const lockFile = z.object({ version: z.literal(LOCK_VERSION), services: z.array(lockedService) });

export type LockedVersion = z.infer<typeof version>;
export type LockedObject = z.infer<typeof lockedObject>;
export type LockedService = z.infer<typeof lockedService>;

const COMMENT =
  'Written by tokenctl. Lists what this manifest created on each service, which is all that --prune deletes, and the versions that rollback knows. Commit this file and tokenctl.versions.';

/** Reads a lock file; a missing file is empty. @throws {CliError} if it is not a valid lock file */
export async function readLockFile(path: string): Promise<LockedService[]> {
  // A file that is there and cannot be read is an error.
  if (!lstatSync(path, { throwIfNoEntry: false })) return [];
  const content = jsonOf(await readTextFile(path, path));
  assertVersionKnown(path, content, LOCK_VERSION);
  const parsed = lockFile.safeParse(content);
  if (parsed.success) return parsed.data.services;
  throw usageError(`${path} is not a valid lock file.`, 'Restore it from version control, or delete it.');
}

const byKey =
  <Item>(keyOf: (item: Item) => string) =>
  (one: Item, other: Item): number =>
    keyOf(one).localeCompare(keyOf(other), 'en');

/** Formats a lock file, in an order that keeps diffs small. */
export function formatLockFile(services: readonly LockedService[]): string {
  const sorted = services
    .map(({ objects, ...service }) => ({
      ...service,
      objects: [...objects].sort(byKey(({ kind, name, id }) => `${kind} ${name} ${id}`)),
    }))
    .sort(byKey(({ service, tenant_id }) => `${service} ${tenant_id}`));
  return `${JSON.stringify({ $comment: COMMENT, version: LOCK_VERSION, services: sorted }, null, 2)}\n`;
}

export async function writeLockFile(path: string, text: string): Promise<void> {
  try {
    // The file is committed, so its mode is that of any other source file.
    await writeFileAtomically(path, text, { mode: 0o666 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError('failed', `The lock file ${path} cannot be written (${code}).`, {
      hint: 'Make it writable. What is not recorded there is never pruned: delete what was created and apply again.',
    });
  }
}
