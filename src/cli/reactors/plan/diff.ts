import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { toReadableCode } from '../build/readable-code.js';
import { type Change, compareContent } from './changes.js';
import type { ReactorContent } from './content.js';

const SIGNS: Record<Change['change'], string> = { added: '+', changed: '~', removed: '-' };

/** Compares what the project wrote; the packages and helpers of a bundle are left out. */
function formatCodeDiff(name: string, before: string, after: string): string {
  const [old, now] = [toReadableCode(before), toReadableCode(after)];
  if (old === now) return '~ code: changed in what the bundler adds';
  const patch = createTwoFilesPatch(
    before === '' ? '/dev/null' : `a/${name}`,
    `b/${name}`,
    old,
    now,
    undefined,
    undefined,
    { context: 3, headerOptions: FILE_HEADERS_ONLY },
  );
  // Not trimmed: an empty line at the end is a line of the code.
  return patch.endsWith('\n') ? patch.slice(0, -1) : patch;
}

/**
 * Formats what a deployment would change: a unified diff of the code, and one line for every other change.
 * Configuration values are secrets; only their names are included.
 */
export function formatDiff(before: ReactorContent | undefined, after: ReactorContent): string {
  const changes = compareContent(before, after);
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
    lines.unshift(formatCodeDiff(after.name, before?.code ?? '', after.code));
  return lines.join('\n');
}
