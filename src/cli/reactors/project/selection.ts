import { resolve } from 'node:path';
import { usageError } from '../../lib/errors.js';
import {
  assertUniqueNames,
  defaultReactorName,
  type Manifest,
  type ReactorEntry,
} from '../../manifest/manifest.js';

/** A reactor to work on. */
export interface SelectedReactor extends ReactorEntry {
  /** The manifest lists it. Only such a reactor is recorded in the lock file and may be pruned later. */
  inManifest: boolean;
}

function selectFile(file: string, cwd: string, manifest: Manifest | undefined): SelectedReactor[] {
  const code = resolve(cwd, file);
  const listed = manifest?.reactors.filter((entry) => entry.code === code) ?? [];
  if (listed.length > 0) return listed.map((entry) => ({ ...entry, inManifest: true }));
  return [{ name: defaultReactorName(file), code, external: [], inManifest: false }];
}

/**
 * Selects the reactors of these files, or all reactors of the manifest if there are none. A file that the manifest
 * lists has its name and configuration from there.
 * @throws {CliError} if nothing is selected, or two reactors have the same name.
 */
export function selectReactors(
  files: readonly string[],
  cwd: string,
  manifest: Manifest | undefined,
): SelectedReactor[] {
  if (files.length > 0) {
    const selected = files.flatMap((file) => selectFile(file, cwd, manifest));
    assertUniqueNames(selected, 'The command line');
    return selected;
  }
  if (!manifest)
    throw usageError(
      'There is no tokenctl.json or tokenctl.yaml in this directory or above.',
      'Create a project: tokenctl init, or tokenctl pull for an existing tenant. The reactor commands also take files.',
    );
  return manifest.reactors.map((entry) => ({ ...entry, inManifest: true }));
}
