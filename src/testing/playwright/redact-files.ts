import { isUtf8 } from 'node:buffer';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EMBEDDED_ZIP, isZip, readZip, writeZip } from '../../../emulator/services/leaks/zip.js';

/** Masks token data in a text; the result has the same length. */
export type Redact = (text: string) => Promise<string>;

/** Files without text. */
const PICTURE = /\.(?:png|jpe?g|webp|gif|webm|woff2?|ttf)$/i;

/** Redacts the files below a directory in place: the traces, page snapshots and attachments of tests. */
export async function redactFiles(directory: string, redact: Redact): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(unlessMissing)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await redactFiles(path, redact);
    else if (entry.isFile() && !PICTURE.test(path)) await redactFile(path, redact);
  }
}

/** Redacts a report of the HTML reporter: what is attached, and the data in its page. The rest of the page is code. */
export async function redactHtmlReport(directory: string, redact: Redact): Promise<void> {
  await redactFiles(join(directory, 'data'), redact);
  await changeFile(join(directory, 'index.html'), async (page) => {
    const text = page.toString();
    const [data] = EMBEDDED_ZIP.exec(text) ?? [];
    if (data === undefined) return page;
    const zip = await redactBytes(Buffer.from(data, 'base64'), redact);
    return Buffer.from(text.replace(data, zip.toString('base64')));
  });
}

export const redactFile = (path: string, redact: Redact): Promise<void> =>
  changeFile(path, (bytes) => redactBytes(bytes, redact));

async function changeFile(path: string, change: (bytes: Buffer) => Promise<Buffer>): Promise<void> {
  const [bytes] = await readFile(path).then((content) => [content], unlessMissing);
  if (bytes === undefined) return;
  const changed = await change(bytes);
  if (changed !== bytes) await writeFile(path, changed);
}

function unlessMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

/** Returns the same buffer if nothing in it has to be masked. */
async function redactBytes(bytes: Buffer, redact: Redact): Promise<Buffer> {
  if (isZip(bytes)) return redactZip(bytes, redact);
  // A mask is ASCII, and as long as what it replaces: the other bytes of a content that is no text stay as they are.
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  const redacted = await redact(text);
  return redacted === text ? bytes : Buffer.from(redacted, encoding);
}

async function redactZip(bytes: Buffer, redact: Redact): Promise<Buffer> {
  const members = [...readZip(bytes)];
  let isChanged = false;
  for (const member of members) {
    if (PICTURE.test(member.name)) continue;
    const content = await redactBytes(member.content, redact);
    if (content !== member.content) isChanged = true;
    member.content = content;
  }
  return isChanged ? writeZip(members) : bytes;
}

/** Work that waits until all reporters have written their files. */
type Work = () => Promise<void>;

// The setup and the reporter are files of their own in the package, so that they meet in the process.
const KEY = Symbol.for('tokenctl.playwright.after-reports');
const shared = globalThis as { [KEY]?: Work[] };

/** Prepares for `afterReports`: the configuration lists the reporter of the kit. */
export function expectReports(): void {
  shared[KEY] = [];
}

/** Leaves work to the reporter of the kit. @returns false if the configuration does not list it */
export const afterReports = (work: Work): boolean => shared[KEY]?.push(work) !== undefined;

export async function finishReports(): Promise<void> {
  for (const work of shared[KEY]?.splice(0) ?? []) await work();
}
