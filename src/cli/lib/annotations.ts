import { basename, relative } from 'node:path';
import type { Failure } from './errors.js';
import { escapeData } from './github.js';
import { hideSecrets } from './secrets.js';

/** A problem that GitHub shows at a line of a file. */
interface Annotation {
  /** Relative to the repository. */
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  message: string;
}

const escapeProperty = (text: string): string =>
  escapeData(hideSecrets(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Formats a workflow command that shows a problem at its position. */
export function formatAnnotation(title: string, { file, line, column, message }: Annotation): string {
  const properties = Object.entries({ file, line, col: column, title })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::error ${properties.join(',')}::${escapeData(hideSecrets(message))}`;
}

/** Formats a workflow command for each position of a failure, with paths relative to the repository. */
export function formatPositionAnnotations(
  { detail, errors = {}, positions = [] }: Failure,
  { env, cwd }: { env: Readonly<Record<string, string | undefined>>; cwd: string },
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
