import { callHost, concatBytes, toArrayBuffer } from '../bridge/host.js';

export class TextEncoder {
  readonly encoding = 'utf-8';

  encode(text: unknown = ''): Uint8Array {
    return new Uint8Array(callHost<Buffer>('encodeBuffer', String(text), 'utf8').buffer);
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

  decode(
    source: ArrayBuffer | ArrayBufferView = new Uint8Array(),
    options: { stream?: boolean } = {},
  ): string {
    const bytes = concatBytes([this.#incomplete, toArrayBuffer(source)]);
    const keep = options.stream && this.encoding === 'utf-8' ? countIncompleteBytes(bytes) : 0;
    this.#incomplete = bytes.slice(bytes.length - keep);
    return callHost(
      'decode',
      bytes.subarray(0, bytes.length - keep),
      this.encoding,
      this.fatal,
      this.ignoreBOM,
    );
  }
}
