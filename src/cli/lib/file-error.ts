/**
 * Adds the path to an error of the file system that has none, or replaces that of a temporary file, so that the user reads
 * which file it is about. Other errors are returned unchanged.
 */
export function withPath(error: unknown, path: string): unknown {
  return error instanceof Error && 'syscall' in error ? Object.assign(error, { path }) : error;
}
