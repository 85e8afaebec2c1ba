import { readFile } from 'node:fs/promises';
import yaml from 'yaml';
import type * as z from 'zod';
import { CliError, type Position } from '../lib/errors.js';
import { rowName } from './row-name.js';

type Path = readonly PropertyKey[];

/** A value of a file, and where it begins: at its name, if it has one. */
interface Place {
  file: string;
  document: yaml.Document;
  lines: yaml.LineCounter;
  node: unknown;
  offset: number;
}

async function openPlace(file: string): Promise<Place> {
  const lines = new yaml.LineCounter();
  const text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  const document = yaml.parseDocument(text, { lineCounter: lines, merge: true });
  return { file, document, lines, node: document.contents, offset: 0 };
}

const at = (place: Place, node: unknown, offset: number | undefined): Place => ({
  ...place,
  node: yaml.isAlias(node) ? node.resolve(place.document) : node,
  offset: offset ?? place.offset,
});

const startOf = (node: unknown): number | undefined => (yaml.isNode(node) ? node.range?.[0] : undefined);

const listItems = (place: Place): Place[] =>
  yaml.isSeq(place.node) ? place.node.items.map((item) => at(place, item, startOf(item))) : [];

function listValues(place: Place, key: PropertyKey): Place[] {
  if (!yaml.isMap(place.node)) return [];
  const pairs = place.node.items.filter((pair) => yaml.isScalar(pair.key) && String(pair.key.value) === key);
  return pairs.map((pair) => at(place, pair.value, startOf(pair.key)));
}

/** Finds a value in each file that has it. The items of a list are counted on from file to file, or named. */
function step(places: readonly Place[], key: PropertyKey): Place[] {
  if (!places.every(({ node }) => yaml.isSeq(node))) return places.flatMap((place) => listValues(place, key));
  const items = places.flatMap(listItems);
  if (typeof key === 'number') return items.slice(key, key + 1);
  return items.filter(({ node, document }) => yaml.isNode(node) && rowName(node.toJS(document)) === key);
}

/** Finds the position of a value, or of the nearest one around it. */
function findPosition(files: readonly Place[], path: Path): Position {
  let places = [...files];
  for (const key of path) {
    const next = step(places, key);
    if (next.length === 0) break;
    places = next;
  }
  // Of what is there twice, the second one is wrong; what is nowhere is missing in the first file.
  const { file, lines, offset } = (places.length === files.length ? places[0] : places.at(-1)) as Place;
  const { line, col } = lines.linePos(offset);
  return { path: path.map(String).join('.'), file, line, column: col };
}

/** Finds the position of a value in a file of JSON or YAML. */
export const positionIn = async (file: string, path: Path): Promise<Position> =>
  findPosition([await openPlace(file)], path);

export const listPaths = ({ issues }: z.ZodError): Path[] =>
  issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path],
  );

/** Runs a task, and tells whoever catches its error which value of the manifest it is about. */
export function locatedAt<Result>(path: Path, task: () => Result): Result {
  try {
    return task();
  } catch (error) {
    if (error instanceof CliError) error.failure.at ??= path;
    throw error;
  }
}

/** Adds the positions of what an error is about. @param files the manifest and its includes @param paths of its field errors */
export async function withPositions(
  error: unknown,
  files: readonly string[],
  paths: readonly Path[] = [],
): Promise<unknown> {
  if (!(error instanceof CliError)) return error;
  const { at: whole, ...failure } = error.failure;
  const places = await Promise.all(files.map(openPlace));
  const positions = [...paths, ...(whole ? [whole] : [])].map((path) => findPosition(places, path));
  return new CliError(failure.category, failure.detail, { ...failure, positions });
}
