import { CliError } from '../../lib/errors.js';

/** A problem in a reactor's code or configuration, and its position. */
export interface CodeProblem {
  /** Relative to the working directory, with forward slashes; absent if the problem is not in a file. */
  file?: string | undefined;
  /** From 1. */
  line?: number | undefined;
  /** From 1. */
  column?: number | undefined;
  message: string;
}

/** A reactor whose code or configuration cannot be deployed or run. */
export class ReactorCodeError extends CliError {
  constructor(
    detail: string,
    readonly problems: readonly CodeProblem[],
    hint?: string,
  ) {
    super('invalid', detail, { errors: groupByFile(problems), hint });
  }
}

/** Groups problems by file as `3:7: message`. */
function groupByFile(problems: readonly CodeProblem[]): Record<string, string[]> {
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
