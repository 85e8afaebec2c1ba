import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { noProjectError, usageError } from '../../lib/errors.js';
import { readTextFile } from '../../lib/text-file.js';
import {
  assertUniqueNames,
  defaultReactorName,
  type Manifest,
  type ReactorEntry,
} from '../../manifest/manifest.js';

export interface SelectedReactor extends ReactorEntry {
  /** The manifest lists it. Only such a reactor is recorded in the lock file and may be pruned later. */
  inManifest: boolean;
}

function selectFile(file: string, cwd: string, manifest: Manifest | undefined): SelectedReactor[] {
  const code = resolve(cwd, file);
  const listed = manifest?.reactors.filter((entry) => entry.code === code) ?? [];
  if (listed.length > 0) return listed.map((entry) => ({ ...entry, inManifest: true }));
  const named = manifest?.reactors.find((entry) => entry.name === file);
  if (named && !existsSync(code))
    throw usageError(
      `${file} is not a file but a reactor of the manifest; its file is ${displayPath(named.code, cwd)}.`,
      `Name the file; or deploy the reactor by its name: tokenctl apply reactor/${file}`,
    );
  return [
    { name: defaultReactorName(file), code, external: manifest?.content.external ?? [], inManifest: false },
  ];
}

/** Selects the reactors of files, or all of the manifest. A file that the manifest lists has its name and configuration there. */
export function selectReactors(files: readonly string[], cwd: string, manifest: Manifest | undefined) {
  if (files.length > 0) {
    const selected = files.flatMap((file) => selectFile(file, cwd, manifest));
    assertUniqueNames(selected, 'The command line');
    return selected;
  }
  if (!manifest) throw noProjectError(' The reactor commands also take files.');
  return manifest.reactors.map((entry) => ({ ...entry, inManifest: true }));
}

/** Removes the byte order mark and converts line ends to LF, so that a checkout on Windows is not a change. */
export function normalizeText(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/** Reads a UTF-8 file as normalized text. @param what names it in errors: `The plan`, `--env-file` */
export const readText = async (path: string, what: string): Promise<string> =>
  normalizeText(await readTextFile(path, `${what} ${path}`));

/** Formats a path for output and reports: relative to `directory`, with forward slashes on every system. */
export const displayPath = (path: string, directory: string): string =>
  relative(directory, path).replaceAll('\\', '/') || '.';
