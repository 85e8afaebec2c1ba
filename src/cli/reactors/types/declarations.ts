import { formatType, type JsonType, objectType, primitiveType, quoteName } from './json-type.js';
import type { ReactorShape } from './reactor-shape.js';

const HEADER = `// Types of the reactors by name, from their configuration and test cases. Written by \`tokenctl reactor types\`; do not edit.
//
// In the code of a reactor: \`const charge: Reactor<'charge'> = …\`, with types/reactor.d.ts of \`tokenctl init\`.
// In the code of a caller: \`Reactors['charge']['request']\` and \`Reactors['charge']['result']\`.
`;

const INDENT = '    ';

function formatMember(name: string, type: JsonType | undefined, other: string, comment?: string): string[] {
  const lines = comment === undefined ? [] : [`${INDENT}/** ${comment} */`];
  return [...lines, `${INDENT}${name}: ${type ? formatType(type, INDENT) : other};`];
}

function configurationType(names: readonly string[]): JsonType {
  const value = { type: primitiveType('string'), optional: false };
  return objectType(Object.fromEntries(names.map((name) => [name, value])));
}

function formatReactor({ name, file, configuration, args, request, result }: ReactorShape): string {
  return [
    `  /** ${file.replaceAll('*/', '')} */`,
    `  ${quoteName(name)}: {`,
    ...formatMember('configuration', configurationType(configuration), ''),
    ...formatMember(
      'args',
      args,
      'Record<string, any>',
      'What the code gets: expressions are replaced by token data.',
    ),
    ...formatMember('request', request, 'Record<string, any>', 'What callers send as `args`.'),
    ...formatMember('result', result, '{ raw?: any; tokens?: any }', 'What callers get.'),
    '  };',
  ].join('\n');
}

/** Formats the TypeScript declarations of reactors, in the order of their names. */
export function formatDeclarations(shapes: readonly ReactorShape[]): string {
  const sorted = [...shapes].sort((one, other) => (one.name < other.name ? -1 : 1));
  return `${HEADER}\ninterface Reactors {\n${sorted.map(formatReactor).join('\n')}\n}\n`;
}
