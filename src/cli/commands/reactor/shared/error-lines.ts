import { errorLines } from '../../../lib/errors.js';
import { escapeControls } from '../../../output/style.js';
import type { ReportedError } from '../../../reactors/report/reported-error.js';

/** Formats the error of a report: its detail and one line for each message. */
export function formatErrorLines(error: ReportedError | undefined, indent: string): string[] {
  if (!error) return [];
  return [error.detail, ...errorLines(error.errors)].map((line) => indent + escapeControls(line));
}
