import { callHost, callHostForBytes, toArrayBuffer } from '../bridge/host-bridge.js';

export class TextEncoder {
  readonly encoding = 'utf-8';

  encode(text: unknown = ''): Uint8Array {
    return callHostForBytes('encodeBuffer', { text: String(text), encoding: 'utf8' });
  }

  encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
    let read = 0;
    let written = 0;
    for (const character of String(text)) {
      const bytes = this.encode(character);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
}

/** Counts the bytes of an incomplete character at the end of UTF-8 text. */
function countIncompleteBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte > 0xf4 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

export class TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  #incomplete = new Uint8Array();

  constructor(label: unknown = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    this.encoding = callHost('canonicalEncoding', String(label));
    this.fatal = Boolean(options.fatal);
    this.ignoreBOM = Boolean(options.ignoreBOM);
  }

  decode(source?: ArrayBuffer | ArrayBufferView, options: { stream?: boolean } = {}): string {
    const bytes = this.#prependIncomplete(source ? new Uint8Array(toArrayBuffer(source)) : new Uint8Array());
    const keep = options.stream && this.encoding === 'utf-8' ? countIncompleteBytes(bytes) : 0;
    this.#incomplete = bytes.slice(bytes.length - keep);
    const { encoding, fatal, ignoreBOM } = this;
    return callHost(
      'decode',
      { encoding, fatal, ignoreBOM },
      toArrayBuffer(bytes.subarray(0, bytes.length - keep)),
    );
  }

  #prependIncomplete(bytes: Uint8Array): Uint8Array {
    if (this.#incomplete.length === 0) return bytes;
    const all = new Uint8Array(this.#incomplete.length + bytes.length);
    all.set(this.#incomplete);
    all.set(bytes, this.#incomplete.length);
    return all;
  }
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}
