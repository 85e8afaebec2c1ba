/** A snapshot name; it is also a file name. */
export const SNAPSHOT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export const SNAPSHOT_NAME_RULE = '1 to 100 characters of A-Z a-z 0-9 . _ -, the first a letter or digit';
