import { SourceMap, type SourceMapPayload } from 'node:module';
import { relative } from 'node:path';

/** What `tokenctl reactor build --json` prints of a reactor. */
export interface BuiltReactor {
  name: string;
  /** Absolute. */
  file: string;
  code: string;
  /** With absolute paths. Absent if the code is the file itself. */
  source_map?: SourceMapPayload;
}

const POSITION = /(?<![\w./-])reactor\.js:(\d+):(\d+)/g;

export const hasPositions = (text: string): boolean => text.search(POSITION) >= 0;

/** Replaces positions of the built code by those of its sources, relative to the working directory. */
export function locate(text: string, { file, source_map }: BuiltReactor): string {
  const map = source_map && new SourceMap(source_map);
  return text.replaceAll(POSITION, (built, line: string, column: string) => {
    if (!map) return `${relative('', file)}:${line}:${column}`;
    const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in entry)) return built;
    return `${relative('', entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
