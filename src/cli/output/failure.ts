import { relative } from 'node:path';
import { type Failure, failureLines, formatPosition, isGeneral } from '../lib/errors.js';
import { foldProse } from '../lib/text.js';
import { escapeControls, type Style } from './style.js';

export function failureJson({ traceId, positions, at: _, hint, ...failure }: Failure): string {
  const relativePositions = positions?.map((one) => ({
    ...one,
    file: relative('', one.file).replaceAll('\\', '/'),
  }));
  const { category, status, title, detail, errors } = failure;
  return JSON.stringify({
    error: { category, status, title, detail, errors, positions: relativePositions, trace_id: traceId, hint },
  });
}

/** Key of the errors that concern no field, such as the message of a reactor that failed. */
const NO_FIELD = 'error';

/** Whether a sentence has a message: as a whole, or after a colon or another sentence. */
function says(detail: string, message: string): boolean {
  const start = detail.indexOf(message);
  if (start < 0 || /\w/.test(detail.charAt(start + message.length))) return false;
  return start === 0 || /[:.] $/.test(detail.slice(0, start));
}

/** Returns the sentence of a failure, with the position that it is about. That of a field error is shown with that. */
function addPosition({ detail, errors = {}, positions = [] }: Failure): string {
  const position = positions.find(({ path }) => path !== undefined && !(path in errors));
  return position ? `${detail.replace(/\.$/, '')} (${formatPosition(position)}).` : detail;
}

/** Formats a failure for a terminal: one sentence, the field errors, the hint and the trace ID, a line each. */
export function failureText(failure: Failure, style: Style, width = Number.POSITIVE_INFINITY): string {
  const prose = (text: string, label: string) => foldProse(escapeControls(text), width, label.length + 1);
  const error = style.red('error:');
  const lines = isGeneral(failure) ? [] : [`${error} ${prose(addPosition(failure), 'error:')}`];
  // The sentence often ends with the message of a reactor.
  for (const [path, messages] of Object.entries(failure.errors ?? {}))
    for (const message of messages)
      if (path !== NO_FIELD || !says(failure.detail, message)) {
        const start = lines.length === 0 ? error : ' ';
        const label = lines.length === 0 ? `error: ${path}:` : `  ${path}:`;
        const position = failure.positions?.find((one) => one.path === path);
        const text = position ? `${message} (${formatPosition(position)})` : message;
        lines.push(`${start} ${style.bold(escapeControls(path))}: ${prose(text, label)}`);
      }
  if (failure.hint) lines.push(`${style.cyan('hint:')} ${prose(failure.hint, 'hint:')}`);
  if (failure.traceId) lines.push(style.dim(`trace id: ${escapeControls(failure.traceId)}`));
  return lines.join('\n');
}

/** Formats the error of a report: its detail and each message. */
export function formatErrorLines(error: Pick<Failure, 'detail' | 'errors'> | undefined, indent: string) {
  return error ? failureLines(error).map((line) => indent + escapeControls(line)) : [];
}
