import { existsSync } from 'node:fs';
import { isObject } from '../../../contract/json.js';
import { TOKEN_FIELDS } from '../../../contract/token-fields.js';
import { readEnvFile } from '../../lib/env-file.js';
import type { ReactorEntry } from '../../manifest/manifest.js';
import { displayPath } from '../project/selection.js';
import { type ReactorTestFile, readTestFile, testPathFor } from '../test/test-file.js';
import {
  ANY,
  formatType,
  inferType,
  type JsonType,
  mergeTypes,
  objectType,
  primitiveType,
  quoteName,
} from './json-type.js';

/** The types of a reactor, as its configuration and test cases show them. undefined where they say nothing. */
interface ReactorShape {
  name: string;
  file: string;
  configuration: string[];
  /** The arguments that the code gets: expressions are replaced by token data. */
  args: JsonType | undefined;
  /** The arguments that callers send. */
  request: JsonType | undefined;
  result: JsonType | undefined;
}

const EXPRESSION = /^\{\{\s*([^{}]*?)\s*\}\}$/;

type TokenSample = NonNullable<ReactorTestFile['tokens']>[number];

function dataTypeOf({ type, data }: TokenSample): JsonType {
  const fields = TOKEN_FIELDS[type];
  if (!fields) return inferType(data);
  return objectType(
    Object.entries(fields).map(([name, field]) => [
      name,
      { type: primitiveType(field.type === 'integer' ? 'number' : 'string'), optional: !field.required },
    ]),
  );
}

/** Returns the type that an expression has for the code. A filter may return anything. */
function resolveExpression(value: unknown, tokens: readonly TokenSample[]): JsonType | undefined {
  const expression = typeof value === 'string' ? EXPRESSION.exec(value)?.[1] : undefined;
  if (expression === undefined) return undefined;
  const token = tokens.find(({ id }) => id === expression);
  return token ? dataTypeOf(token) : ANY;
}

const PRIMITIVES = ['string', 'number', 'boolean', 'null'] as const;

function resolveMatcher(value: unknown): JsonType | undefined {
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  if ('$type' in value) {
    const primitive = PRIMITIVES.find((name) => name === value.$type);
    if (value.$type === 'array') return { primitives: new Set(), list: { elements: ANY } };
    return primitive ? primitiveType(primitive) : ANY;
  }
  if ('$match' in value) return primitiveType('string');
  return '$contains' in value ? inferType(value.$contains, resolveMatcher) : undefined;
}

const mergeAll = (types: readonly JsonType[]): JsonType | undefined =>
  types.length === 0 ? undefined : types.reduce(mergeTypes);

/** Names the values that a reactor's configuration can have. An env file need not exist where types are checked. */
async function listConfiguration(entry: ReactorEntry, tests: ReactorTestFile | undefined): Promise<string[]> {
  const { configuration, env_file } = entry;
  const anyValue = new Proxy<Record<string, string>>({}, { get: () => '' });
  const fromFile =
    env_file !== undefined && existsSync(env_file)
      ? await readEnvFile(env_file, 'The env_file', anyValue)
      : {};
  return [...new Set(Object.keys({ ...configuration, ...fromFile, ...tests?.configuration }))].sort();
}

export async function readReactorShape(entry: ReactorEntry, directory: string): Promise<ReactorShape> {
  const path = testPathFor(entry.code);
  const tests = existsSync(path) ? await readTestFile(path) : undefined;
  const succeeding = (tests?.cases ?? []).filter(({ error }) => error === undefined);
  const args = succeeding.map((one) => one.args).filter((value) => value !== undefined);
  const results = succeeding.map(({ result }) => result).filter((value) => value !== undefined);
  const resolveToken = (value: unknown) => resolveExpression(value, tests?.tokens ?? []);
  return {
    name: entry.name,
    file: displayPath(entry.code, directory),
    configuration: await listConfiguration(entry, tests),
    args: mergeAll(args.map((value) => inferType(value, resolveToken))),
    request: mergeAll(args.map((value) => inferType(value))),
    result: mergeAll(results.map((value) => inferType(value, resolveMatcher))),
  };
}

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
  return objectType(names.map((name) => [name, value]));
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

export function formatDeclarations(shapes: readonly ReactorShape[]): string {
  const sorted = [...shapes].sort((one, other) => (one.name < other.name ? -1 : 1));
  return `${HEADER}\ninterface Reactors {\n${sorted.map(formatReactor).join('\n')}\n}\n`;
}
