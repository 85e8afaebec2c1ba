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
  /** Address of the state of `Math.random`. */
  randomAddress: number;
  /** Addresses of the engine's start on the scale of `performance.now()`, as 64-bit floats. */
  originAddresses: number[];
  /** Parts of the memory in the order of their bytes. */
  runs: [address: number, length: number][];
}

/** Addresses in an engine that differ from instance to instance. */
export type InstanceFields = Pick<ImageHeader, 'randomAddress' | 'originAddresses'>;

const addressesOf = ({ host, api }: PreludeTarget): ImageHeader['addresses'] => [host.value, api.value];

/**
 * Captures the memory of an engine after its prelude was evaluated.
 * @param before its memory before that, which a new engine has too
 * @returns the length of the header, the header as JSON, the bytes of the runs
 */
export function captureImage(target: PreludeTarget, before: Uint8Array, fields: InstanceFields): Uint8Array {
  const memory = new Uint8Array(target.memory.buffer);
  if (memory.length !== before.length)
    throw new Error('The prelude needs more memory than an engine has at start.');
  const runs = findRuns(memory, before);
  const header: ImageHeader = { memoryBytes: memory.length, addresses: addressesOf(target), ...fields, runs };
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([
    length,
    text,
    ...runs.map(([address, size]) => memory.subarray(address, address + size)),
  ]);
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
  let offset = 4 + headerLength;
  for (const [address, length] of header.runs) {
    memory.set(image.subarray(offset, offset + length), address);
    offset += length;
  }
  initializeFields(memory, header);
}

/** Gives the instance random numbers and a clock of its own. */
function initializeFields(memory: Uint8Array, { randomAddress, originAddresses }: InstanceFields): void {
  const view = new DataView(memory.buffer);
  // Like `Math.random` itself, the seed is not a secret. It must not be zero.
  for (const offset of [0, 4]) view.setUint32(randomAddress + offset, 1 + Math.random() * 0xffff_ffff, true);
  for (const address of originAddresses) view.setFloat64(address, performance.now(), true);
}
