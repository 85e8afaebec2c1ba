/** What PostgreSQL cannot hold in a text: the character NUL, and halves of surrogate pairs. */
const UNSTORABLE = /\0|[\ud800-\udfff]/u;
/** No id begins with it. */
const ESCAPED = '\\';

/** Writes an id as a text that the database can hold: one with an unstorable character is escaped as in JSON. */
export function encodeId(id: string): string {
  return UNSTORABLE.test(id) ? ESCAPED + JSON.stringify(id) : id;
}

/** Returns how the ids that begin with a text begin in the database: as they are, and escaped. */
export function idPrefixes(prefix: string): string[] {
  const escaped = ESCAPED + JSON.stringify(prefix).slice(0, -1);
  return UNSTORABLE.test(prefix) || prefix.startsWith(ESCAPED) ? [escaped] : [prefix, escaped];
}

/** Reads an id that `encodeId` wrote. */
export function decodeId(stored: string): string {
  return stored.startsWith(ESCAPED) ? (JSON.parse(stored.slice(ESCAPED.length)) as string) : stored;
}

/** Escapes a text so that a beginning of it stays a beginning of it. */
export function encodeText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const METADATA = 'metadata.';

/** Returns the key that a term `metadata.<key>` asks for; undefined for other terms. */
export function metadataKey(term: string): string | undefined {
  return term.startsWith(METADATA) ? term.slice(METADATA.length) : undefined;
}
