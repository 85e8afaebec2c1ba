/** What a response costs besides its body: the record, its ids and its indexes. It bounds their number, too. */
const RESPONSE_BYTES = 1_024;
const TOKEN_ID_BYTES = 128;

/** Estimates the memory, or the place on disk, of a response whose body is this JSON, in bytes. */
export function bytesOfResponse(json: string | undefined, tokenIds: readonly string[]): number {
  return RESPONSE_BYTES + tokenIds.length * TOKEN_ID_BYTES + Buffer.byteLength(json ?? '');
}
