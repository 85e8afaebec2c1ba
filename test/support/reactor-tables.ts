import { readFileSync } from 'node:fs';

/** Reads a file of fixtures/reactor-runtime, in which a line `# title` begins a section. */
export function readSections(name: string): Record<string, string> {
  const file = new URL(`../../fixtures/reactor-runtime/${name}.txt`, import.meta.url);
  const [before, ...parts] = readFileSync(file, 'utf8').split(/^# /m);
  const sections = parts.map((section) => {
    const [title = '', ...lines] = section.trimEnd().split('\n');
    return [title, lines.join('\n')] as const;
  });
  const titles = new Set(sections.map(([title]) => title));
  if (before !== '' || titles.size < sections.length || parts.some((part) => part.includes('\r')))
    throw new Error(`${name}.txt has text before its first title, a title twice, or a carriage return.`);
  return Object.fromEntries(sections);
}

/**
 * Reads tables of code that must do in the sandbox what it does in Node.js: a section each, a line for each row. An empty line ends a
 * block of rows; `$= input` stands for the `$` of each row of its block, once for each input.
 */
export function readTables(name: string): Record<string, string[]> {
  const sections = Object.entries(readSections(name));
  return Object.fromEntries(sections.map(([title, text]) => [title, text.split('\n\n').flatMap(rowsOf)]));
}

function rowsOf(block: string): string[] {
  const lines = block.split('\n');
  const inputs = lines.filter((line) => line.startsWith('$= '));
  const rows = lines.filter((line) => !line.startsWith('$= '));
  if (rows.length === 0 || rows.some((row) => row.trim() === '' || /^\$=(?! )/.test(row)))
    throw new Error(`A block has no rows, an empty one, or an input without a blank:\n${block}`);
  if (inputs.length === 0) return rows;
  return inputs.flatMap((input) => rows.map((row) => row.replaceAll('$', () => input.slice(3))));
}
