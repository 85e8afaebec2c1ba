import { CliError } from '../../lib/errors.js';

/** Something wrong with a reactor's code or configuration, and where. */
export interface CodeProblem {
  /** Relative to the working directory, with forward slashes; absent when it is in no file. */
  file?: string | undefined;
  /** From 1. */
  line?: number | undefined;
  /** From 1. */
  column?: number | undefined;
  message: string;
}

/** A reactor that cannot be deployed or run as it stands. */
export class ReactorCodeError extends CliError {
  constructor(
    detail: string,
    readonly problems: readonly CodeProblem[],
    hint?: string,
  ) {
    super('invalid', detail, { errors: problemsByFile(problems), hint });
  }
}

/** `3:7: message`, by file. */
function problemsByFile(problems: readonly CodeProblem[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const { file = 'reactor', line, column, message } of problems) {
    const text = [line, column, ` ${message}`]
      .filter((part) => part !== undefined)
      .join(':')
      .trim();
    errors[file] = [...(errors[file] ?? []), text];
  }
  return errors;
}
