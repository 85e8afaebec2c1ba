import { CliError } from '../failure.js';

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

/** `charge.ts:3:7: message`. */
export function problemText({ file, line, column, message }: CodeProblem): string {
  if (file === undefined) return message;
  const position = [file, line, column].filter((part) => part !== undefined).join(':');
  return `${position}: ${message}`;
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

function problemsByFile(problems: readonly CodeProblem[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const problem of problems) {
    const where = problem.file ?? 'reactor';
    const text = problemText({ ...problem, file: undefined });
    const position = [problem.line, problem.column].filter((part) => part !== undefined).join(':');
    errors[where] = [...(errors[where] ?? []), position ? `${position}: ${text}` : text];
  }
  return errors;
}
