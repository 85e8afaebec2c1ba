import type { QuickJSHandle } from 'quickjs-emscripten-core';

// Goal R2: evaluating the prelude took 40 ms, 110 ms in the first instance of a process; restoring its effect takes 3 ms.

/** Runs are made of units of this size that differ from what a new engine has. Bytes. */
const UNIT_BYTES = 4_096;

/** An engine in which no reactor code has run, and the objects through which host and prelude reach each other. */
export interface PreludeTarget {
  memory: WebAssembly.Memory;
  host: QuickJSHandle;
  /** Receives the functions of the prelude. */
  api: QuickJSHandle;
}

interface ImageHeader {
  /** Size of the whole memory. */
  memoryBytes: number;
  /** Addresses of `host` and `api`. They are the same in every engine that is created in the same way. */
  addresses: [host: number, api: number];
  /** Addresses of 64-bit words that a new engine sets to values of its own: its random numbers and its clock. */
  ownAddresses: number[];
  /** Parts of the memory in the order of their bytes. */
  runs: [address: number, length: number][];
}

const addressesOf = ({ host, api }: PreludeTarget): ImageHeader['addresses'] => [host.value, api.value];

export const copyMemory = ({ memory }: PreludeTarget): Uint8Array => new Uint8Array(memory.buffer.slice(0));

/** Captures what has changed in the memory of an engine; undefined if it has grown. */
export function captureImage(target: PreludeTarget, before: Uint8Array, ownAddresses: number[]) {
  const memory = new Uint8Array(target.memory.buffer);
  if (memory.length !== before.length) return undefined;
  const runs = findRuns(memory, before);
  const header: ImageHeader = {
    memoryBytes: memory.length,
    addresses: addressesOf(target),
    ownAddresses,
    runs,
  };
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([
    length,
    text,
    ...runs.map(([address, size]) => memory.subarray(address, address + size)),
  ]);
}

/** Returns the addresses of the 64-bit words in which the memories of two engines that were created in the same way differ. */
export function findDifferences(one: Uint8Array, other: Uint8Array): number[] {
  const otherWords = new BigUint64Array(other.buffer);
  const addresses: number[] = [];
  new BigUint64Array(one.buffer).forEach((word, index) => {
    if (word !== otherWords[index]) addresses.push(index * otherWords.BYTES_PER_ELEMENT);
  });
  return addresses;
}

function findRuns(memory: Uint8Array, before: Uint8Array): ImageHeader['runs'] {
  const runs: ImageHeader['runs'] = [];
  for (let address = 0; address < memory.length; address += UNIT_BYTES) {
    const [now, then] = [memory, before].map((bytes) => bytes.subarray(address, address + UNIT_BYTES));
    const last = runs.at(-1);
    if (Buffer.compare(now as Uint8Array, then as Uint8Array) === 0) continue;
    if (last && last[0] + last[1] === address) last[1] += UNIT_BYTES;
    else runs.push([address, UNIT_BYTES]);
  }
  return runs;
}

/** Makes an engine what the captured one was. */
export function restoreImage(target: PreludeTarget, image: Uint8Array): void {
  const headerLength = Buffer.from(image.buffer, image.byteOffset, 4).readUInt32LE();
  const header = JSON.parse(Buffer.from(image.slice(4, 4 + headerLength)).toString()) as ImageHeader;
  const memory = new Uint8Array(target.memory.buffer);
  if (memory.length !== header.memoryBytes || String(addressesOf(target)) !== String(header.addresses))
    throw new Error('The memory image was built for another engine.');
  const view = new DataView(target.memory.buffer);
  const own = header.ownAddresses.map((address) => [address, view.getBigUint64(address)] as const);
  let offset = 4 + headerLength;
  for (const [address, length] of header.runs) {
    memory.set(image.subarray(offset, offset + length), address);
    offset += length;
  }
  for (const [address, value] of own) view.setBigUint64(address, value);
}
