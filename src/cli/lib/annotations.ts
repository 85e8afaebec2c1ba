import { basename, relative } from 'node:path';
import type { Failure } from './errors.js';
import { escapeData } from './github.js';
import { hideSecrets } from './secrets.js';

export interface CodeProblem {
  /** Relative to the working directory, in annotations to the repository; absent if the problem is not in a file. */
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  message: string;
}

/** Receives what does not keep code from being deployed, and may keep it from running. */
export type Warn = (problem: CodeProblem) => void;

const escapeProperty = (text: string): string =>
  escapeData(hideSecrets(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');

export function formatAnnotation(
  title: string,
  { file, line, column, message }: CodeProblem,
  level: 'error' | 'warning' = 'error',
): string {
  const properties = Object.entries({ file, line, col: column, title })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${level} ${properties.join(',')}::${escapeData(hideSecrets(message))}`;
}

/** Formats a workflow command for each position of a failure, with paths relative to the repository. */
export function formatPositionAnnotations(
  { detail, errors = {}, positions = [] }: Failure,
  { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string },
): string[] {
  return positions.map(({ path = '', file, line, column }) =>
    formatAnnotation(basename(file), {
      file: relative(env.GITHUB_WORKSPACE ?? cwd, file).replaceAll('\\', '/'),
      line,
      column,
      message: errors[path] ? `${path}: ${errors[path].join('; ')}` : detail,
    }),
  );
}
