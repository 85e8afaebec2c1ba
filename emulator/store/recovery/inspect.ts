import { join } from 'node:path';
import { readFileIfAny, TEMP_SUFFIX } from '../files/atomic-file.js';
import { type FileSystem, JOURNAL_DIR } from '../files/file-system.js';
import type { ChangeLine } from '../journal/line.js';
import { type ScannedLine, scan, segmentNumbers, segmentPath } from '../journal/segment.js';
import type { LineLocation } from '../line-location.js';
import type { ListedSegment, StoreHeader } from '../store-header.js';

/** Something in a data directory that is not what was written. */
export interface Damage {
  file: string;
  /** From 1; absent when all of the file is damaged or missing. */
  line?: number;
  problem: string;
}

/** Is called with each change, in the order of revisions. Returns what is wrong with it, if anything is. */
type VisitChange = (line: ChangeLine, at: LineLocation) => string | undefined;

interface FoundSegment extends ListedSegment {
  path: string;
  /** Bytes of the file without its unfinished tail. */
  size: number;
}

/** Reads all segments that a header lists and compares them with it, for a start, `emulator doctor` and a repair. */
export async function inspectJournal(
  files: FileSystem,
  dataDir: string,
  header: StoreHeader,
  visit: VisitChange = () => undefined,
): Promise<Inspection> {
  const directory = join(dataDir, JOURNAL_DIR);
  const found = new Inspection(header, visit);
  for (const listed of header.journal) {
    const path = segmentPath(directory, listed.number);
    // A kill may come between the header that lists a segment and its own name.
    const temporary = path + TEMP_SUFFIX;
    const bytes = await readFileIfAny(files, path);
    const unnamed = bytes ?? (await readFileIfAny(files, temporary));
    if (unnamed) found.addSegment(listed, bytes ? path : temporary, unnamed);
    else found.damage.push({ file: path, problem: `this file is missing${contentOf(listed)}` });
  }
  found.leftovers = await unlistedFiles(files, directory, header, found.damage);
  found.judgeDamagedLines();
  return found;
}

/** What there is of a journal. */
export class Inspection {
  readonly segments: FoundSegment[] = [];
  readonly damage: Damage[] = [];
  /** Segments that do not count any more, and files that never did. */
  leftovers: string[] = [];
  /** The end of the last segment, which was never completely written. */
  tail: Buffer | undefined;
  readonly #damaged: (LineLocation & Damage)[] = [];
  readonly #announced: LineLocation[] = [];
  #wasKilled = false;
  #revision = 0;

  constructor(
    private readonly header: StoreHeader,
    private readonly visit: VisitChange,
  ) {}

  /** The highest revision in use. */
  get revision(): number {
    return Math.max(this.header.revision, this.#revision);
  }

  /** What a killed process announced to erase: some is partly erased, some only looks so, because its sync failed. */
  get unsettled(): LineLocation[] {
    return this.#wasKilled ? this.#announced : [];
  }

  addSegment(listed: ListedSegment, path: string, bytes: Buffer): void {
    const isLast = listed === this.header.journal.at(-1);
    const size = isLast ? listed.bytes + wholeGroups(bytes.subarray(listed.bytes)) : listed.bytes;
    if (isLast && size < bytes.length) this.tail = bytes.subarray(size);
    this.#wasKilled ||= size > listed.bytes;
    this.segments.push({ ...listed, path, size });
    if (bytes.length < listed.bytes || (!isLast && bytes.length > listed.bytes)) {
      const problem = `this file has ${bytes.length} bytes, not ${listed.bytes}${contentOf(listed)}`;
      this.damage.push({ file: path, problem });
    }
    for (const line of scan(bytes.subarray(0, size))) this.#addLine(line, listed.number, path);
  }

  #addLine({ number, offset, length, line }: ScannedLine, segment: number, path: string): void {
    const at = { segment, offset, length };
    const damaged = (problem: string) => this.#damaged.push({ file: path, line: number, problem, ...at });
    if (line === undefined) damaged('this line does not match its checksum');
    else if ('erase' in line)
      for (const [segment, offset, length] of line.erase) this.#announced.push({ segment, offset, length });
    else if ('rev' in line) {
      if (line.rev <= this.#revision) damaged('this line is out of order');
      this.#revision = line.rev;
      const problem = this.visit(line, at);
      if (problem !== undefined) damaged(problem);
    }
  }

  /** Adds the damaged lines to `damage`, unless they were announced to be erased. To be called when all segments are added. */
  judgeDamagedLines(): void {
    for (const { file, line, problem, ...range } of this.#damaged)
      if (this.#announced.some((one) => contains(one, range))) this.#wasKilled = true;
      else this.damage.push({ file, ...(line !== undefined && { line }), problem });
  }
}

/**
 * Returns how many of the bytes that were appended since the header was written are to be read. The rest is the unfinished tail:
 * the last group, if a power cut kept a part of it from the disk. A group was synced before the next one was written, so that
 * a hole with something behind its group is damage, which is found by reading it.
 */
function wholeGroups(bytes: Buffer): number {
  let start = 0;
  while (start < bytes.length) {
    const rest = bytes.subarray(start);
    const [head] = scan(rest);
    if (head === undefined) break;
    const { line, offset, length } = head;
    const end = offset + length + 1 + (line && 'group' in line ? line.group : 0);
    if (end > rest.length) return start;
    if (head.isTorn)
      return [...scan(rest)].some(({ line }) => line && 'group' in line) ? bytes.length : start;
    // What never reached the disk reads as zeros, which no line has. A line that is wrong otherwise is damaged.
    if (rest.subarray(0, end).includes(0)) return end < rest.length ? bytes.length : start;
    start += end;
  }
  return bytes.length;
}

/** Finds segments that the header does not list: superseded ones, which may be removed, and others, which are damage. */
async function unlistedFiles(
  files: FileSystem,
  directory: string,
  { journal, next }: StoreHeader,
  damage: Damage[],
): Promise<string[]> {
  const names = await files.list(directory);
  const listed = new Set(journal.map(({ number }) => segmentPath(directory, number)));
  const temporary = names.filter((name) => name.endsWith(TEMP_SUFFIX)).map((name) => join(directory, name));
  const leftovers = temporary.filter((path) => !listed.has(path.slice(0, -TEMP_SUFFIX.length)));
  for (const number of await segmentNumbers(files, directory)) {
    const file = segmentPath(directory, number);
    if (listed.has(file)) continue;
    if (number < next) leftovers.push(file);
    else damage.push({ file, problem: 'this file is newer than the store header, which does not list it' });
  }
  return leftovers;
}

/** What is known of a segment that cannot be read. */
function contentOf({ revisions, closed_at: closedAt }: ListedSegment): string {
  if (revisions === undefined) return '';
  const [first, last] = revisions;
  return `; it held changes ${first} to ${last}${closedAt === undefined ? '' : `, the last before ${closedAt}`}`;
}

function contains(outer: LineLocation, inner: LineLocation): boolean {
  if (outer.segment !== inner.segment || outer.offset > inner.offset) return false;
  return inner.offset + inner.length <= outer.offset + outer.length;
}
