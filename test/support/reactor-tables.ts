import { readFileSync } from 'node:fs';

/** Reads a file of fixtures/reactor-runtime, in which a line `# title` begins a section. */
export function readSections(name: string): Record<string, string> {
  const file = new URL(`../../fixtures/reactor-runtime/${name}.txt`, import.meta.url);
  const sections = readFileSync(file, 'utf8').split(/^# /m).slice(1);
  return Object.fromEntries(
    sections.map((section) => {
      const [title = '', ...lines] = section.trimEnd().split('\n');
      return [title, lines.join('\n')];
    }),
  );
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
  if (inputs.length === 0) return rows;
  return inputs.flatMap((input) => rows.map((row) => row.replaceAll('$', () => input.slice(3))));
}
