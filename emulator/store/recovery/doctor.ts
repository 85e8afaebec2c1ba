import { join } from 'node:path';
import { DOCUMENTS_FILE, JOURNAL_DIRECTORY } from '../disk-store.js';
import { DOCUMENT_COLLECTIONS, type DocumentsContent } from '../documents.js';
import { readFileIfAny, replaceFile } from '../files/atomic-file.js';
import { parseJson } from '../files/durable-json-file.js';
import type { FileSystem } from '../files/file-system.js';
import { MANIFEST_FILE, type Manifest } from '../manifest.js';
import { duplicateSegments, segmentPath, segmentsAmong } from '../wal/segment.js';
import { readable, readSegments, type SegmentLines } from './examine.js';

/** Where what cannot be read is put aside. */
const QUARANTINE_DIR = 'damaged';

/** Something in a data directory that cannot be read. */
export interface Damage {
  file: string;
  /** From 1; absent when it is all of the file, or the file is missing. */
  line?: number;
}

/** What cannot be read of a data directory that nobody has open. */
export async function examine(files: FileSystem, dataDir: string): Promise<Damage[]> {
  const segments = await readSegments(files, join(dataDir, JOURNAL_DIRECTORY));
  const damages = await twinsOf(files, dataDir);
  for (const { path, damaged } of segments) {
    for (const { number } of damaged) damages.push({ file: path, line: number });
  }
  const isNew = segments.length === 0;
  for (const path of [join(dataDir, DOCUMENTS_FILE), join(dataDir, MANIFEST_FILE)]) {
    const bytes = await readFileIfAny(files, path);
    if (bytes === undefined ? !isNew && path.endsWith(MANIFEST_FILE) : !isJson(bytes))
      damages.push({ file: path });
  }
  return damages;
}

/**
 * Keeps what can be read and puts a copy of every damaged file aside, in `damaged/`. Answers with what was damaged.
 *
 * @throws Error the manifest is gone for good: nothing else says how to read the rest
 */
export async function repair(files: FileSystem, dataDir: string): Promise<Damage[]> {
  const damages = await examine(files, dataDir);
  if (damages.length === 0) return [];
  await files.makeDirectory(join(dataDir, QUARANTINE_DIR));
  await separateTwins(files, dataDir);
  for (const segment of await readSegments(files, join(dataDir, JOURNAL_DIRECTORY))) {
    if (segment.damaged.length > 0) await repairSegment(files, dataDir, segment);
  }
  const documents = await repairDocuments(files, dataDir);
  await repairManifest(files, dataDir, documents);
  return damages;
}

/** Segments of one number, both of each. */
async function twinsOf(files: FileSystem, dataDir: string): Promise<Damage[]> {
  const directory = join(dataDir, JOURNAL_DIRECTORY);
  const twins = duplicateSegments(segmentsAmong(await files.list(directory)));
  return twins.flatMap(({ packed, appended }) =>
    [packed, appended].map((name) => ({ file: join(directory, name) })),
  );
}

/** Gives the packed one of two segments a number of its own: every line says by itself when it was written. */
async function separateTwins(files: FileSystem, dataDir: string): Promise<void> {
  const directory = join(dataDir, JOURNAL_DIRECTORY);
  const segments = segmentsAmong(await files.list(directory));
  let last = segments.at(-1)?.id ?? 0;
  for (const { packed } of duplicateSegments(segments)) {
    const path = join(directory, packed);
    await replaceFile(files, join(dataDir, QUARANTINE_DIR, packed), await files.readFile(path));
    last += 1;
    await files.rename(path, segmentPath(directory, last, true));
  }
  await files.syncDirectory(directory);
}

async function repairSegment(files: FileSystem, dataDir: string, segment: SegmentLines): Promise<void> {
  await replaceFile(files, join(dataDir, QUARANTINE_DIR, segment.name), segment.bytes);
  await replaceFile(files, segment.path, readable(segment));
}

/** Each record stands by itself in the file, so one that is broken takes no other with it. */
async function repairDocuments(files: FileSystem, dataDir: string): Promise<DocumentsContent | undefined> {
  const path = join(dataDir, DOCUMENTS_FILE);
  const bytes = await readFileIfAny(files, path);
  if (bytes === undefined) return undefined;
  if (isJson(bytes)) return JSON.parse(bytes.toString('utf8')) as DocumentsContent;
  await replaceFile(files, join(dataDir, QUARANTINE_DIR, DOCUMENTS_FILE), bytes);
  const content = salvage(bytes.toString('utf8'));
  await replaceFile(files, path, `${JSON.stringify(content, null, 2)}\n`);
  return content;
}

function salvage(text: string): DocumentsContent {
  const revision = Number(/^ {2}"revision": (\d+)/m.exec(text)?.[1] ?? 0);
  const content: DocumentsContent = { revision };
  const store = parsed(/^ {2}"store": (\{.*?^ {2}\})/ms.exec(text)?.[1] ?? '');
  if (store !== undefined) content.store = store as Manifest;
  for (const name of DOCUMENT_COLLECTIONS) {
    const part = new RegExp(`^ {2}"${name}": \\[\\n(.*?)^ {2}\\]`, 'ms').exec(text)?.[1] ?? '';
    const records = part.split(/^ {4}\},?$/m).map((record) => parsed(`${record}}`));
    content[name] = records.filter(
      (record) => typeof (record as { id?: unknown } | undefined)?.id === 'string',
    );
  }
  return content;
}

/** The small documents carry a copy of the manifest. */
async function repairManifest(
  files: FileSystem,
  dataDir: string,
  documents: DocumentsContent | undefined,
): Promise<void> {
  const path = join(dataDir, MANIFEST_FILE);
  const bytes = await readFileIfAny(files, path);
  if (bytes !== undefined && isJson(bytes)) return;
  if (documents?.store === undefined) {
    throw new Error(
      `${path} cannot be repaired, because ${DOCUMENTS_FILE} has no copy of it: restore it from a backup`,
    );
  }
  if (bytes !== undefined) await replaceFile(files, join(dataDir, QUARANTINE_DIR, MANIFEST_FILE), bytes);
  await replaceFile(files, path, `${JSON.stringify(documents.store, null, 2)}\n`);
}

function isJson(bytes: Buffer): boolean {
  return parsed(bytes.toString('utf8')) !== undefined;
}

function parsed(text: string): unknown {
  try {
    return parseJson('', text);
  } catch {
    return undefined;
  }
}
