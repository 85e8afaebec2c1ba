/**
 * Adds the path to an error of the file system that has none, or replaces that of a temporary file, so that the user reads
 * which file it is about. Other errors are returned unchanged.
 */
export function withPath(error: unknown, path: string): unknown {
  return error instanceof Error && 'syscall' in error ? Object.assign(error, { path }) : error;
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'a file is in its place',
  EISDIR: 'it is a directory',
  ENOSPC: 'the disk is full',
};

/** Describes an error code of the file system in words, with the code: `permission denied (EACCES)`. */
export function describeFileError(code = 'unknown error'): string {
  const problem = FILE_PROBLEMS[code];
  return problem === undefined ? code : `${problem} (${code})`;
}
