import { Buffer } from 'buffer';
import { callHost } from '../../bridge/host-bridge.js';
import { Blob, File, readBlob } from '../blob.js';

type Value = string | File;

function toValue(value: unknown, fileName?: unknown): Value {
  if (!(value instanceof Blob)) return String(value);
  if (value instanceof File && fileName === undefined) return value;
  const name = fileName ?? (value instanceof File ? value.name : 'blob');
  return new File([value], name, { type: value.type });
}

/** The global `FormData`. */
export class FormData {
  #entries: [name: string, value: Value][] = [];

  append(name: unknown, value: unknown, fileName?: unknown): void {
    this.#entries.push([String(name), toValue(value, fileName)]);
  }

  set(name: unknown, value: unknown, fileName?: unknown): void {
    const key = String(name);
    const index = this.#entries.findIndex(([known]) => known === key);
    if (index < 0) {
      this.append(name, value, fileName);
      return;
    }
    this.#entries[index] = [key, toValue(value, fileName)];
    this.#entries = this.#entries.filter(([known], at) => known !== key || at === index);
  }

  get(name: unknown): Value | null {
    return this.#entries.find(([key]) => key === String(name))?.[1] ?? null;
  }

  getAll(name: unknown): Value[] {
    return this.#entries.filter(([key]) => key === String(name)).map(([, value]) => value);
  }

  has(name: unknown): boolean {
    return this.#entries.some(([key]) => key === String(name));
  }

  delete(name: unknown): void {
    this.#entries = this.#entries.filter(([key]) => key !== String(name));
  }

  forEach(callback: (value: Value, name: string, form: FormData) => void, self?: unknown): void {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }

  *entries(): IterableIterator<[string, Value]> {
    yield* this.#entries;
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this.#entries) yield name;
  }

  *values(): IterableIterator<Value> {
    for (const [, value] of this.#entries) yield value;
  }

  [Symbol.iterator](): IterableIterator<[string, Value]> {
    return this.entries();
  }
}

const normalizeLineBreaks = (text: string): string => text.replace(/\r?\n|\r/g, '\r\n');

const escapeName = (name: string): string =>
  name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

/** Encodes a form as `multipart/form-data` (RFC 7578). */
export function encodeForm(form: FormData): { bytes: Buffer; type: string } {
  const boundary = `----formdata-${callHost<string>('uuid', null)}`;
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
