import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { type Change, changesBetween, type ReactorContent } from './compare.js';

const SIGNS: Record<Change['change'], string> = { added: '+', changed: '~', removed: '-' };

/** Code is shown with a line end, so that its absence at the end of a file is shown as what it is. */
function codeDiff(name: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(
    before === '' ? '/dev/null' : `a/${name}`,
    `b/${name}`,
    before,
    after,
    undefined,
    undefined,
    { context: 3, headerOptions: FILE_HEADERS_ONLY },
  );
  // Not trimmed: an empty line at its end is a line of the code.
  return patch.endsWith('\n') ? patch.slice(0, -1) : patch;
}

/**
 * What a deployment would change, as a unified diff of the code and one line per other change.
 * Configuration is shown by name; its values are secrets.
 */
export function unifiedDiff(before: ReactorContent | undefined, after: ReactorContent): string {
  const changes = changesBetween(before, after);
  const lines = changes
    .filter(({ field }) => field !== 'code')
    .map(({ field, change }) => {
      const detail =
        field === 'application'
          ? `${before?.application ?? 'none'} → ${after.application ?? 'none'}`
          : `${change} (value not shown)`;
      return `${SIGNS[change]} ${field}: ${detail}`;
    });
  if (changes.some(({ field }) => field === 'code'))
    lines.unshift(codeDiff(after.name, before?.code ?? '', after.code));
  return lines.join('\n');
}
