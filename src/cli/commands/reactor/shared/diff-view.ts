import { escapeControls, type Style } from '../../../output/style.js';

/** Colors the lines of a unified diff. */
export function paintDiff(diff: string, style: Style): string {
  const paint = (line: string): string => {
    if (line.startsWith('@@')) return style.cyan(line);
    if (line.startsWith('+')) return style.green(line);
    return line.startsWith('-') ? style.red(line) : line;
  };
  return diff
    .split('\n')
    .map((line) => paint(escapeControls(line)))
    .join('\n');
}
