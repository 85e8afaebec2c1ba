import { resolve } from 'node:path';
import { usageError } from '../../lib/errors.js';
import { findManifest, type Manifest, nameOfFile, type ReactorEntry, refuseSameNames } from './manifest.js';

/** Which reactors a command is about. */
export interface Selection {
  entries: ReactorEntry[];
  /** Absent when there is none; with files named it still lends them their names and configuration. */
  manifest: Manifest | undefined;
}

function entryOf(file: string, cwd: string, manifest: Manifest | undefined): ReactorEntry[] {
  const code = resolve(cwd, file);
  const named = manifest?.reactors.filter((entry) => entry.code === code) ?? [];
  return named.length > 0 ? named : [{ name: nameOfFile(file), code, external: [] }];
}

/**
 * The reactors of these files, or all of the manifest's when none is named.
 * @throws {CliError} when there is nothing to work on, or one name stands for two reactors.
 */
export async function selectReactors(files: readonly string[], cwd: string): Promise<Selection> {
  const manifest = await findManifest(cwd);
  if (files.length > 0) {
    const entries = files.flatMap((file) => entryOf(file, cwd, manifest));
    refuseSameNames(entries, 'The command line');
    return { entries, manifest };
  }
  if (!manifest)
    throw usageError(
      'No file is named, and there is no tokenctl.json or tokenctl.yaml here or above.',
      'Name the files, or start a project: tokenctl init.',
    );
  if (manifest.reactors.length === 0)
    throw usageError(
      `${manifest.path} lists no reactors.`,
      'Add them: "reactors": [{ "name": …, "code": … }].',
    );
  return { entries: manifest.reactors, manifest };
}
