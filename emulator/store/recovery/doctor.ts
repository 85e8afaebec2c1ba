import { basename, join } from 'node:path';
import { jsonOf } from '../../../src/contract/json.js';
import { DOCUMENT_COLLECTIONS, type DocumentsContent } from '../documents.js';
import { readFileIfAny, replaceFile, writeJsonFile } from '../files/atomic-file.js';
import type { FileSystem } from '../files/file-system.js';
import { DOCUMENTS_FILE, HEADER_FILE, JOURNAL_DIR, QUARANTINE_DIR } from '../files/layout.js';
import type { StoreHeader } from '../store-header.js';
import { duplicateSegments, listSegments, segmentPath } from '../wal/segment.js';
import { type DamagedLine, readJournal } from './read-journal.js';

/** Something in a data directory that cannot be read. */
export interface Damage {
  file: string;
  /** From 1; absent when all of the file is damaged or missing. */
  line?: number;
}

/** Finds what cannot be read in a data directory that nobody has open. */
export async function examine(files: FileSystem, dataDir: string): Promise<Damage[]> {
  const segments = await listSegments(files, join(dataDir, JOURNAL_DIR));
  const damages: Damage[] = duplicateSegments(segments).flatMap((pair) =>
    pair.map(({ path }) => ({ file: path })),
  );
  for (const { path, number } of await damagedLines(files, dataDir))
    damages.push({ file: path, line: number });
  for (const name of [DOCUMENTS_FILE, HEADER_FILE]) {
    const path = join(dataDir, name);
    const bytes = await readFileIfAny(files, path);
    const isMissing = bytes === undefined && name === HEADER_FILE && segments.length > 0;
    if (isMissing || (bytes !== undefined && !isJson(bytes))) damages.push({ file: path });
  }
  return damages;
}

/**
 * Keeps what can be read and puts a copy of every damaged file aside, in `damaged/`. Returns what was damaged.
 *
 * @throws Error the store header is lost: nothing else says how to read the rest
 */
export async function repair(files: FileSystem, dataDir: string): Promise<Damage[]> {
  const damages = await examine(files, dataDir);
  if (damages.length === 0) return [];
  await files.makeDirectory(join(dataDir, QUARANTINE_DIR));
  await renumberDuplicates(files, dataDir);
  await eraseDamagedLines(files, dataDir);
  const documents = await repairDocuments(files, dataDir);
  await repairHeader(files, dataDir, documents);
  return damages;
}

async function damagedLines(files: FileSystem, dataDir: string): Promise<DamagedLine[]> {
  const segments = await listSegments(files, join(dataDir, JOURNAL_DIR));
  return (await readJournal(segments, ({ path }) => files.readFile(path))).damaged;
}

/** Gives the packed one of two segments with the same id another one: a line's revision says when it was written. */
async function renumberDuplicates(files: FileSystem, dataDir: string): Promise<void> {
  const directory = join(dataDir, JOURNAL_DIR);
  const segments = await listSegments(files, directory);
  let last = segments.at(-1)?.id ?? 0;
  for (const [{ path }] of duplicateSegments(segments)) {
    await quarantine(files, dataDir, path);
    last += 1;
    await files.rename(path, segmentPath(directory, last, true));
  }
  await files.syncDirectory(directory);
}

/** Overwrites damaged lines with spaces: every other line stays where it is. */
async function eraseDamagedLines(files: FileSystem, dataDir: string): Promise<void> {
  const lines = await damagedLines(files, dataDir);
  for (const path of new Set(lines.map((line) => line.path))) {
    const bytes = await quarantine(files, dataDir, path);
    for (const { offset, length } of lines.filter((line) => line.path === path)) {
      bytes.fill(' ', offset, offset + length);
    }
    await replaceFile(files, path, bytes);
  }
}

/** Puts a copy of a file aside and returns its content. */
async function quarantine(files: FileSystem, dataDir: string, path: string): Promise<Buffer> {
  const bytes = await files.readFile(path);
  await replaceFile(files, join(dataDir, QUARANTINE_DIR, basename(path)), bytes);
  return bytes;
}

/** Keeps the records that can be read: each has lines of its own in the file. */
async function repairDocuments(files: FileSystem, dataDir: string): Promise<DocumentsContent | undefined> {
  const path = join(dataDir, DOCUMENTS_FILE);
  const bytes = await readFileIfAny(files, path);
  if (bytes === undefined) return undefined;
  const text = bytes.toString('utf8');
  const readable = jsonOf(text);
  if (readable !== undefined) return readable as DocumentsContent;
  await quarantine(files, dataDir, path);
  const content = salvage(text);
  await writeJsonFile(files, path, content);
  return content;
}

function salvage(text: string): DocumentsContent {
  const revision = Number(/^ {2}"revision": (\d+)/m.exec(text)?.[1] ?? 0);
  const content: DocumentsContent = { revision };
  const store = jsonOf(/^ {2}"store": (\{.*?^ {2}\})/ms.exec(text)?.[1] ?? '');
  if (store !== undefined) content.store = store as StoreHeader;
  for (const name of DOCUMENT_COLLECTIONS) {
    const part = new RegExp(`^ {2}"${name}": \\[\\n(.*?)^ {2}\\]`, 'ms').exec(text)?.[1] ?? '';
    const records = part.split(/^ {4}\},?$/m).map((record) => jsonOf(`${record}}`));
    content[name] = records.filter(
      (record) => typeof (record as { id?: unknown } | undefined)?.id === 'string',
    );
  }
  return content;
}

/** Restores the store header from its copy in documents.json. */
async function repairHeader(
  files: FileSystem,
  dataDir: string,
  documents: DocumentsContent | undefined,
): Promise<void> {
  const path = join(dataDir, HEADER_FILE);
  const bytes = await readFileIfAny(files, path);
  if (bytes !== undefined && isJson(bytes)) return;
  if (documents?.store === undefined) {
    throw new Error(
      `${path} cannot be repaired, because ${DOCUMENTS_FILE} has no copy of it: restore it from a backup`,
    );
  }
  if (bytes !== undefined) await quarantine(files, dataDir, path);
  await writeJsonFile(files, path, documents.store);
}

function isJson(bytes: Buffer): boolean {
  return jsonOf(bytes.toString('utf8')) !== undefined;
}
