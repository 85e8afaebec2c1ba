import type { DiskStoreParts } from '../disk-store.js';
import { DOCUMENT_COLLECTIONS } from '../documents.js';
import type { FileSystem } from '../files/file-system.js';
import type { Logger } from '../logger.js';
import type { Operation } from '../operation.js';
import { type ClearLine, type PutHead, type RemoveLine, recordOf } from '../wal/line-codec.js';
import type { Segment } from '../wal/segment.js';
import { type DeferredLine, Recovery, type TornTail } from './recovery.js';
import { readSegment, scan } from './scan.js';

/** Brings the tables to where the data directory left off; answers with the highest revision in use. */
export async function load(
  files: FileSystem,
  segments: Segment[],
  parts: DiskStoreParts,
  logger: Logger,
): Promise<number> {
  const { documents, journal, tables, housekeeping, packer } = parts;
  await documents.load();
  const { bury, removed } = housekeeping;
  const replay = new Recovery({ tables, documentsRevision: documents.revision, bury, removed });
  const active = segments.filter(({ packed }) => !packed).at(-1);
  // One buffer for all: fresh memory costs more than what is read into it.
  const room = Buffer.allocUnsafe(Math.max(0, ...segments.map(({ size }) => size)));
  for (const segment of segments) {
    replay.add(
      segment,
      scan(segment.id, readSegment(files, segment, segment.size, room)),
      segment === active,
    );
  }
  const late = replay.finish();
  for (const { head } of late.clears) packer.keepClear(clearOf(head as ClearLine));
  for (const line of late.documents) applyToDocuments(parts, line);
  if (active !== undefined && replay.torn !== undefined) await cutOff(files, active, replay.torn, logger);
  // Before anything else reads these lines: half blanked they are neither what they were nor nothing.
  await journal.erase(late.halfBlanked);
  for (const place of late.halfBlanked) housekeeping.retire(place);
  return replay.revision;
}

function applyToDocuments(parts: DiskStoreParts, line: DeferredLine): void {
  const { head, place } = line;
  parts.documents.changed(head.rev, 'clear' in head ? undefined : place);
  if ('put' in head) parts.tables.apply(putOf(parts, line), place);
  else if ('remove' in head) parts.tables.apply(removeOf(head));
  else for (const name of DOCUMENT_COLLECTIONS) parts.tables.clear(name, head.tenant);
}

async function cutOff(files: FileSystem, segment: Segment, torn: TornTail, logger: Logger): Promise<void> {
  logger.warn(
    `${segment.path}: the last ${segment.size - torn.size} bytes were cut off while they were written ` +
      'and never acknowledged; they are dropped',
  );
  await files.truncate(segment.file, torn.size);
  segment.size = torn.size;
}

function putOf({ journal, sealing, tables }: DiskStoreParts, { head, place }: DeferredLine): Operation {
  const { put: collection, tenant: tenantId, id } = head as PutHead;
  return {
    op: 'put',
    collection,
    tenantId,
    record: sealing.read(recordOf(journal.read(place))),
    was: tables.of(collection, tenantId)?.get(id),
  } as Operation;
}

function removeOf({ remove: collection, tenant: tenantId, id, rev: revision }: RemoveLine): Operation {
  return { op: 'remove', collection, tenantId, id, revision };
}

function clearOf({ rev: revision, tenant: tenantId }: ClearLine): { revision: number; tenantId?: string } {
  return tenantId === undefined ? { revision } : { revision, tenantId };
}
