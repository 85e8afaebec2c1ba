/** A command in a sentence. */
const COMMAND = /\btokenctl [a-z]+ [a-z-]/;

/**
 * Breaks a sentence between words and indents the lines after the first. One that names a command, or has lines of its own,
 * stays as it is, and no word is broken, unlike in tables (`fold` of text-width.ts): commands and paths can be copied.
 * @param width columns of the terminal
 * @param indent columns before the sentence
 */
export function foldProse(text: string, width: number, indent: number): string {
  if (COMMAND.test(text) || text.includes('\n') || width <= 2 * indent) return text;
  const columns = width - indent;
  const lines: string[] = [];
  let rest = text;
  while (rest.length > columns) {
    const before = rest.lastIndexOf(' ', columns);
    const end = before > 0 ? before : rest.indexOf(' ', columns);
    if (end < 0) break;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end + 1);
  }
  return [...lines, rest].join(`\n${' '.repeat(indent)}`);
}
