import type { YAMLParseError } from 'yaml';
import { isObject } from '../../contract/json.js';
import { CliError, usageError } from './errors.js';
import { parseJson } from './json.js';
import { readTextFile } from './text-file.js';

/** Reads a file that holds an object: YAML by its name, or else JSON. @param what names it in errors: `The seed file seed.json` */
export async function readDocument(path: string, what: string, { mayBeEmpty = false } = {}) {
  const text = await readTextFile(path, what);
  if (mayBeEmpty && text.replaceAll(/^\s*#.*$/gm, '').trim() === '') return {};
  const content = /\.ya?ml$/.test(path) ? await parseYaml(text, what, path) : parseJson(text, what);
  if (!isObject(content)) throw usageError(`${what} must hold an object.`);
  return content;
}

async function parseYaml(text: string, what: string, path: string): Promise<unknown> {
  try {
    return (await import('yaml')).default.parse(text, { merge: true });
  } catch (error) {
    // Its own message quotes the text, which may be sensitive.
    const { code = '', linePos: [start] = [] } = error as Partial<YAMLParseError>;
    const reason = code.toLowerCase().replaceAll('_', ' ');
    const where = start ? ` (${reason} at line ${start.line}, column ${start.col})` : '';
    throw new CliError('usage', `${what} is not YAML${where}.`, {
      hint: 'Check the indentation, and that no colon, quote or bracket is missing there or in the line before.',
      positions: start && [{ file: path, line: start.line, column: start.col }],
    });
  }
}

/** @throws {CliError} if a file of tokenctl has a version that only a newer tokenctl can read */
export function assertVersionKnown(path: string, content: unknown, known: number): void {
  const version = isObject(content) ? content.version : undefined;
  if (Number.isInteger(version) && (version as number) > known)
    throw usageError(
      `${path} was written by a newer tokenctl: its version is ${version}, this one knows ${known}.`,
      'Update tokenctl.',
    );
}
