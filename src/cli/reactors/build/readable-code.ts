import { createHash } from 'node:crypto';
import { formatNumber } from '../../lib/text.js';
import { packageOfFile } from './imports-plugin.js';

/** The last line of a bundle. The service expects CommonJS: the default export of an ES module becomes `module.exports`. */
export const FOOTER = 'module.exports = module.exports.default ?? module.exports;';

/** A module of a bundle: the comment before it, and its code. */
interface Section {
  path: string;
  code: string;
}

/** esbuild names every module before its code. Comments of the modules themselves are indented or removed. */
const SECTION = /^\/\/ (\S.*\.\w+)\n/m;
/** A bundle without names of modules, and with lines this long, is minified. */
const MINIFIED_LINE_LENGTH = 2_000;
/** What esbuild adds to the modules of the project: their exports, and imports of bundled packages. */
const HELPER_STATEMENTS = [
  /^var \w+_exports = \{\};\n__export\(\w+_exports, \{\n(?: {2}.*\n)*\}\);\n(?:module\.exports = __toCommonJS\(\w+_exports\);\n)?/gm,
  /^var \w+ = __toESM\(require_\w+\(\)(?:, 1)?\);\n/gm,
];

const packageOf = ({ path }: Section): string | undefined =>
  /^package (\S+): /.exec(path)?.[1] ?? packageOfFile(path);

const isMinified = (code: string): boolean =>
  code.split('\n').some((line) => line.length > MINIFIED_LINE_LENGTH);

const describeText = (what: string, text: string): string =>
  `// ${what}: ${formatNumber(text.length)} characters, ${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;

const removeHelpers = (code: string): string =>
  HELPER_STATEMENTS.reduce((text, pattern) => text.replace(pattern, ''), code).trim();

function splitSections(code: string): Section[] {
  const [, ...parts] = code.split(SECTION);
  return parts.flatMap((path, index) => (index % 2 === 0 ? [{ path, code: parts[index + 1] ?? '' }] : []));
}

function describePackages(sections: readonly Section[]): string[] {
  const packages = new Map<string, string>();
  for (const section of sections) {
    const name = packageOf(section);
    if (name !== undefined) packages.set(name, (packages.get(name) ?? '') + section.code);
  }
  return [...packages].sort().map(([name, code]) => describeText(`package ${name}`, code));
}

/** Returns the modules of the project from a bundle, and a line for each package, so that a diff shows what its author wrote. */
export function toReadableCode(code: string): string {
  const sections = code.trimEnd().endsWith(FOOTER)
    ? splitSections(code.trimEnd().slice(0, -FOOTER.length))
    : [];
  if (sections.length === 0) return isMinified(code) ? `${describeText('minified', code)}\n` : code;
  const own = sections
    .filter((section) => packageOf(section) === undefined)
    .map((section) => ({ ...section, code: removeHelpers(section.code) }))
    .filter((section) => section.code !== '');
  const texts = [
    ...describePackages(sections),
    ...own.map((section) => `// ${section.path}\n${section.code}`),
  ];
  return `${texts.join('\n')}\n`;
}
