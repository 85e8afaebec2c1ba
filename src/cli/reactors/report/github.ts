import { resolve } from 'node:path';
import { formatAnnotation } from '../../lib/annotations.js';
import { type Failure, failureLines } from '../../lib/errors.js';
import { toFailure } from '../../lib/to-failure.js';
import { ReactorCodeError } from '../build/bundling-problems.js';
import { displayPath } from '../project/selection.js';

/** Formats one workflow command for each problem of a failure, with paths relative to the repository. */
export function formatFailureAnnotations(
  { kind, name, file, error }: { kind: string; name: string; file?: string | undefined; error?: unknown },
  cwd: string,
  env: NodeJS.ProcessEnv,
): string[] {
  const problems = error instanceof ReactorCodeError ? error.problems : [];
  const shown =
    problems.length > 0 ? problems : [{ file, message: failureLines(toFailure(error)).join('\n') }];
  return shown.map((problem) =>
    formatAnnotation(`${kind} ${name}`, {
      ...problem,
      file: problem.file && displayPath(resolve(cwd, problem.file), env.GITHUB_WORKSPACE ?? cwd),
    }),
  );
}

export interface ReportedError extends Omit<Failure, 'traceId'> {
  trace_id?: string | undefined;
}

export function toReportedError(error: unknown): ReportedError {
  const { traceId, ...failure } = toFailure(error);
  return { ...failure, trace_id: traceId };
}
