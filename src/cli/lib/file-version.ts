import { isObject } from '../../contract/json.js';
import { usageError } from './errors.js';

/** @throws {CliError} if a file of tokenctl has a version that only a newer tokenctl can read */
export function assertVersionKnown(path: string, content: unknown, known: number): void {
  const version = isObject(content) ? content.version : undefined;
  if (Number.isInteger(version) && (version as number) > known)
    throw usageError(
      `${path} was written by a newer tokenctl: its version is ${version}, this one knows ${known}.`,
      'Update tokenctl.',
    );
}
