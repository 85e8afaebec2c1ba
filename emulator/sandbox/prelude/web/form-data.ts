import { Buffer } from 'buffer';
import { callHost } from '../bridge/host.js';
import { Blob, File, readBlob } from './blob.js';
import { PairList } from './pairs.js';

type Value = string | File;

function toValue(value: unknown, fileName?: unknown): Value {
  if (!(value instanceof Blob)) return String(value);
  if (value instanceof File && fileName === undefined) return value;
  const name = fileName ?? (value instanceof File ? value.name : 'blob');
  return new File([value], name, { type: value.type });
}

/** The global `FormData`. */
export class FormData extends PairList<Value> {
  constructor() {
    super(toValue);
  }
}

const normalizeLineBreaks = (text: string): string => text.replace(/\r?\n|\r/g, '\r\n');

const escapeName = (name: string): string =>
  name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

/** Encodes a form as `multipart/form-data` (RFC 7578). */
export function encodeForm(form: FormData): { bytes: Buffer; type: string } {
  const boundary = `----formdata-${callHost<string>('uuid')}`;
  const parts: Uint8Array[] = [];
  for (const [name, value] of form) {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(normalizeLineBreaks(name))}"`;
    if (value instanceof File) {
      const type = value.type || 'application/octet-stream';
      const file = `; filename="${escapeName(value.name)}"\r\nContent-Type: ${type}`;
      parts.push(Buffer.from(`${head}${file}\r\n\r\n`), Buffer.from(readBlob(value)), Buffer.from('\r\n'));
    } else {
      parts.push(Buffer.from(`${head}\r\n\r\n${normalizeLineBreaks(value)}\r\n`));
    }
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return { bytes: Buffer.concat(parts), type: `multipart/form-data; boundary=${boundary}` };
}
