import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectories } from '../../../contract/files.js';
import { isObject } from '../../../contract/json.js';
import { RESOURCES } from '../../../contract/resources.js';
import type { Context } from '../../command.js';
import { PROJECT_FILE_NAMES } from '../../config/paths.js';
import { type Manifest, readManifest } from '../../manifest/manifest.js';
import { displayPath } from '../../reactors/project/selection.js';
import { ManifestDocument } from '../../tenant-config/pull/manifest-document.js';
import type { Kind } from '../../tenant-config/resources/content.js';

const MANIFEST = 'tokenctl.yaml';

export interface Project {
  manifest: Manifest | undefined;
  documents: [ManifestDocument, ...ManifestDocument[]];
}

/** Opens the project of a directory, or a new one, in place of it. @throws {CliError} if the manifest is not valid */
export async function openProject(
  directory: string,
  overwrites: boolean,
  { settings }: Context,
): Promise<Project> {
  const path = PROJECT_FILE_NAMES.map((name) => join(directory, name)).find(existsSync);
  if (path === undefined || overwrites)
    return { manifest: undefined, documents: [ManifestDocument.create(join(directory, MANIFEST))] };
  const manifest = await readManifest(path, settings.environment, undefined, settings.env);
  const [main, ...included] = await Promise.all([path, ...manifest.included].map(ManifestDocument.open));
  return { manifest, documents: [main as ManifestDocument, ...included] };
}

/** Whether a project declares an object, in whichever environment, under its name or its former one. */
export function declares({ documents }: Project, { kind, name }: { kind: Kind; name: string }): boolean {
  if (kind === 'tenant') return documents.some(({ content }) => content.tenant !== undefined);
  const list = RESOURCES[kind].collection;
  const isFormer = (row: unknown) => isObject(row) && row.previous_name === name;
  return documents.some(
    (document) =>
      document.findRow([list], name) !== undefined || asList(document.content[list]).some(isFormer),
  );
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export async function saveDocuments({ documents }: Project, directory: string): Promise<string[]> {
  const saved: string[] = [];
  makeDirectories(directory);
  for (const document of documents)
    if (await document.save()) saved.push(displayPath(document.path, directory));
  return saved;
}
