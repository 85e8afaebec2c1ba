import { crc32 } from 'node:zlib';

export const CHECKSUM_LENGTH = 8;

/** Returns the CRC-32 of bytes as hexadecimal digits: it tells damage from what was written. */
export function checksum(bytes: string | Uint8Array): string {
  return crc32(bytes).toString(16).padStart(CHECKSUM_LENGTH, '0');
}
