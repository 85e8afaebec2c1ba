import { errorLines } from '../../../lib/errors.js';
import { foldProse } from '../../../output/prose.js';
import { escapeControls } from '../../../output/style.js';
import type { ReportedError } from '../../../reactors/report/github.js';

/** Formats the error of a report: its detail and each message. @param width columns of the terminal */
export function formatErrorLines(
  error: ReportedError | undefined,
  indent: string,
  width = Number.POSITIVE_INFINITY,
): string[] {
  if (!error) return [];
  return [error.detail, ...errorLines(error.errors)].map(
    (line) => indent + foldProse(escapeControls(line), width, indent.length),
  );
}
