/** Names in a data directory. */
export const HEADER_FILE = 'store.json';
export const JOURNAL_DIR = 'journal';
export const SNAPSHOTS_DIR = 'snapshots';
/** Holds copies of the damaged files that a repair replaced, and the unfinished tails that a start removed. */
export const QUARANTINE_DIR = 'damaged';
