import { isUtf8 } from 'node:buffer';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import JSZip from 'jszip';

/** Masks token data in a text; the result has the same length. */
export type Redact = (text: string) => Promise<string>;

/** Files without text. */
const PICTURE = /\.(?:png|jpe?g|webp|gif|webm|woff2?|ttf)$/i;
const ZIP_BEGIN = Buffer.from('PK\x03\x04', 'latin1');

/** Redacts the files below a directory in place: the traces, page snapshots and attachments of tests. */
export async function redactFiles(directory: string, redact: Redact): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(unlessMissing)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await redactFiles(path, redact);
    else if (entry.isFile() && !PICTURE.test(path)) await redactFile(path, redact);
  }
}

function unlessMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

async function redactFile(path: string, redact: Redact): Promise<void> {
  const bytes = await readFile(path);
  const redacted = await redactBytes(bytes, redact);
  if (redacted !== bytes) await writeFile(path, redacted);
}

/** Returns the same buffer if nothing in it has to be masked. */
async function redactBytes(bytes: Buffer, redact: Redact): Promise<Buffer> {
  if (bytes.indexOf(ZIP_BEGIN) === 0) return redactZip(bytes, redact);
  // A mask is ASCII, and as long as what it replaces: the other bytes of a content that is no text stay as they are.
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = bytes.toString(encoding);
  const redacted = await redact(text);
  return redacted === text ? bytes : Buffer.from(redacted, encoding);
}

async function redactZip(bytes: Buffer, redact: Redact): Promise<Buffer> {
  const zip = await JSZip.loadAsync(bytes);
  let isChanged = false;
  for (const member of Object.values(zip.files)) {
    if (member.dir || PICTURE.test(member.name)) continue;
    const content = await member.async('nodebuffer');
    const redacted = await redactBytes(content, redact);
    if (redacted === content) continue;
    zip.file(member.name, redacted, { date: member.date });
    isChanged = true;
  }
  return isChanged ? zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' }) : bytes;
}
