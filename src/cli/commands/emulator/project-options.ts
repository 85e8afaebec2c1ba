import { dirname, resolve } from 'node:path';
import type { EmulatorOption } from '../../../contract/emulator-options.js';
import { type FieldErrors, fieldErrors } from '../../../contract/validation.js';
import { findUpwards, PROJECT_FILE_NAMES } from '../../config/paths.js';
import { readParts } from '../../config/project-parts.js';
import { toCamelCase } from '../../flags/flag.js';
import { CliError } from '../../lib/errors.js';

/** Flags that cannot be used with one of the project file: whoever gives the flag wants it instead. */
const INSTEAD_OF: Readonly<Record<string, string>> = {
  allowNet: 'denyNet',
  denyNet: 'allowNet',
  memory: 'store',
  durability: 'store',
};

/** Adds the options of the project file to flags, which take precedence. */
export async function withProjectOptions<Flags extends object>(
  flags: Flags,
  accepted: Readonly<Record<string, EmulatorOption>>,
  cwd: string,
): Promise<Flags> {
  const path = findUpwards(cwd, PROJECT_FILE_NAMES);
  if (path === undefined) return flags;
  const { document, included } = await readParts(path, `The project file ${path}`);
  const { emulator } = document;
  if (emulator === undefined) return flags;
  // Loaded when there is a section to validate: goal S3.
  const { emulatorSection } = await import('../../manifest/emulator-section.js');
  const { data: section, error } = emulatorSection.safeParse(emulator);
  if (error) {
    const { listPaths, withPositions } = await import('../../manifest/positions.js');
    const wrong = notValid(path, fieldErrors(error, ['emulator']), Object.keys(emulatorSection.shape));
    const paths = listPaths(error).map((one) => ['emulator', ...one]);
    throw await withPositions(wrong, [path, ...included], paths);
  }
  const given = { ...flags } as Readonly<Record<string, unknown>>;
  const added = Object.entries(section).flatMap(([property, value]) => {
    const name = toCamelCase(property);
    const row = accepted[name];
    const isGiven = given[name] !== undefined && given[name] !== row?.onByDefault;
    const isReplaced = given[INSTEAD_OF[name] ?? ''] !== undefined;
    return row === undefined || isGiven || isReplaced ? [] : [[name, toFlag(value, row, dirname(path))]];
  });
  return { ...flags, ...Object.fromEntries(added) };
}

function notValid(path: string, errors: FieldErrors, known: readonly string[]): CliError {
  return new CliError('usage', `The section "emulator" of ${path} is not valid.`, {
    errors,
    hint: `Its properties are ${known.join(', ')}.`,
  });
}

/** Returns a value as the flag would have it. Paths are relative to the project file. */
function toFlag(value: unknown, { list, parse, suggest }: EmulatorOption, directory: string): unknown {
  if (list && typeof value === 'string') return [value];
  if (suggest === 'file' && typeof value === 'string') return resolve(directory, value);
  return parse ? String(value) : value;
}
