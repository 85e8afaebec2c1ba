import type { QuickJSHandle } from 'quickjs-emscripten-core';

// Goal R2: evaluating the prelude took 40 ms, 110 ms in the first instance of a process; restoring its effect takes 3 ms.

/** Runs are made of units of this size that are not zero throughout. Bytes. */
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

/**
 * Captures the memory of an engine after its prelude was evaluated.
 * @param before its memory before that, which a new engine has too
 * @param other the memory of another such engine, to find what differs
 * @returns the length of the header, the header as JSON, the bytes of the runs
 */
export function captureImage(target: PreludeTarget, before: Uint8Array, other: Uint8Array): Uint8Array {
  const memory = new Uint8Array(target.memory.buffer);
  if (memory.length !== before.length)
    throw new Error('The prelude needs more memory than an engine has at start.');
  const ownAddresses = findDifferences(memory, other);
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

/** Returns the addresses of the 64-bit words in which two memories differ. */
function findDifferences(one: Uint8Array, other: Uint8Array): number[] {
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
    const isUsed = [memory, before].some((bytes) =>
      bytes.subarray(address, address + UNIT_BYTES).some(Boolean),
    );
    const last = runs.at(-1);
    if (!isUsed) continue;
    if (last && last[0] + last[1] === address) last[1] += UNIT_BYTES;
    else runs.push([address, UNIT_BYTES]);
  }
  return runs;
}

/**
 * Makes a new engine what the captured one was.
 * @throws Error if the image is of another engine
 */
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
