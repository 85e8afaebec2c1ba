import { Buffer } from 'buffer';
import { callHost } from '../../bridge/host-bridge.js';
import { Blob, File, readBlob } from '../blob.js';
import { FormData } from './form-data.js';

const escapeName = (name: string): string =>
  name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

/** Encodes a form as `multipart/form-data` (RFC 7578). */
export function encodeForm(form: FormData): { bytes: Buffer; type: string } {
  const boundary = `----formdata-${callHost<string>('uuid', null)}`;
  const parts: Uint8Array[] = [];
  for (const [name, value] of form) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"`;
    if (value instanceof File) {
      const type = value.type || 'application/octet-stream';
      const file = `; filename="${escapeName(value.name)}"\r\nContent-Type: ${type}`;
      parts.push(Buffer.from(`${head}${file}\r\n\r\n`), Buffer.from(readBlob(value)), Buffer.from('\r\n'));
    } else {
      parts.push(Buffer.from(`${head}\r\n\r\n${value.replace(/\r?\n|\r/g, '\r\n')}\r\n`));
    }
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { bytes: Buffer.concat(parts), type: `multipart/form-data; boundary=${boundary}` };
}

/** Decodes a body of a form. @throws TypeError if the content type is not one of a form, or the body is not a form */
export function decodeForm(bytes: ArrayBuffer, contentType: string): FormData {
  const body = Buffer.from(bytes);
  const form = new FormData();
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) {
    for (const [name, value] of new URLSearchParams(body.toString())) form.append(name, value);
    return form;
  }
  const boundary = /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  if (!boundary)
    throw new TypeError(
      'Content-Type was not one of "multipart/form-data" or "application/x-www-form-urlencoded".',
    );
  const delimiter = `--${boundary[1] ?? boundary[2]}`;
  for (const part of splitParts(body, delimiter)) addPart(form, part);
  return form;
}

/** Returns what is between two delimiters, without the line breaks around it. */
function splitParts(body: Buffer, delimiter: string): Buffer[] {
  const parts: Buffer[] = [];
  let start = body.indexOf(delimiter);
  while (start >= 0) {
    const from = start + delimiter.length;
    if (body.subarray(from, from + 2).toString() === '--') return parts;
    const end = body.indexOf(`\r\n${delimiter}`, from);
    if (end < 0) break;
    parts.push(body.subarray(from + 2, end));
    start = end + 2;
  }
  throw new TypeError('Failed to parse body as FormData.');
}

function addPart(form: FormData, part: Buffer): void {
  const split = part.indexOf('\r\n\r\n');
  const head = part.subarray(0, Math.max(0, split)).toString();
  const content = part.subarray(split + 4);
  const [, name] = /^content-disposition:\s*form-data;.*?\bname="([^"]*)"/im.exec(head) ?? [];
  if (split < 0 || name === undefined) throw new TypeError('Failed to parse body as FormData.');
  const [, fileName] = /^content-disposition:.*\bfilename="([^"]*)"/im.exec(head) ?? [];
  const [, type = 'text/plain'] = /^content-type:\s*(.+)$/im.exec(head) ?? [];
  if (fileName === undefined) form.append(unescapeName(name), content.toString());
  else form.append(unescapeName(name), new Blob([content], { type: type.trim() }), unescapeName(fileName));
}

const unescapeName = (name: string): string =>
  name.replace(/%0A/gi, '\n').replace(/%0D/gi, '\r').replace(/%22/g, '"');
