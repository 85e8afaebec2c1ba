import { usageError } from './failure.js';

/**
 * @param what it is, for the error: `--data`, a file.
 * @throws {CliError} that says where the mistake is if that is known, never the text, which may be sensitive.
 */
export function parseJson(text: string, what: string, hint?: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    throw usageError(
      `${what} is not JSON${position === undefined ? '' : ` (at character ${position})`}.`,
      hint,
    );
  }
}
