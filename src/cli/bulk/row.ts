/** The request of creating one token, as a row of an import gives it. */
export interface TokenRecord {
  id?: unknown;
  type: string;
  data: unknown;
  [property: string]: unknown;
}

/** One row of the source, as it came. */
export interface SourceRow {
  /** From 1; empty lines do not count. */
  number: number;
  /** Undefined when the row could not be read; then `problem` says why. */
  record?: Record<string, unknown>;
  problem?: string;
  /** What goes to the rejects file. */
  original: Record<string, unknown>;
}

/** A row that can be sent. */
export interface ImportRow {
  number: number;
  record: TokenRecord;
  original: Record<string, unknown>;
  /** The id is the importer's own: nobody else can have taken it. */
  ownId: boolean;
}

/** A row that was not imported. */
export interface Reject {
  number: number;
  /** Words and property paths, never values. */
  reason: string;
  original: Record<string, unknown>;
}

/** Columns that an import adds to a rejected row, and passes over when the corrected file comes back. */
export const REJECT_COLUMNS = { row: '_row', reason: '_reason' } as const;

/** What the service says of a token but does not take: passed over, so that an export can be imported. */
export const READ_ONLY_PROPERTIES: readonly string[] = [
  'tenant_id',
  'fingerprint',
  'enrichments',
  'created_by',
  'created_at',
  'modified_by',
  'modified_at',
  ...Object.values(REJECT_COLUMNS),
];
