import { RESOURCES } from '../../../contract/resources.js';
import { usageError } from '../../lib/errors.js';
import type { ManifestDocument, ManifestEdit } from '../../tenant-config/pull/manifest-document.js';
import type { Kind } from '../../tenant-config/resources/content.js';
import { type PullOptions, toLeftOut, type Written } from './declare-objects.js';
import {
  type DeclaredObject,
  type Drift,
  type DriftOptions,
  findCode,
  findConfiguration,
  findSettings,
  findValues,
  type Row,
} from './drift.js';
import type { Project } from './project.js';

const listOf = (kind: Kind): string => (kind === 'tenant' ? 'tenant' : RESOURCES[kind].collection);

function findRow({ manifest }: DriftOptions, { kind, content }: DeclaredObject): Row {
  if (kind === 'tenant') return (manifest.content.tenant ?? {}) as Row;
  const rows: readonly { name: string }[] = manifest.content[RESOURCES[kind].collection] ?? [];
  const row = rows.find(({ name }) => name === content.name);
  if (!row) throw usageError('the manifest declares it in another environment only');
  return row as Row;
}

interface Place {
  document: ManifestDocument;
  path: readonly (string | number)[];
}

function findPlace(
  list: readonly string[],
  { kind, content }: DeclaredObject,
  { documents }: DriftOptions,
): Place | undefined {
  for (const document of documents) {
    const path = kind === 'tenant' ? document.findValue(list) : document.findRow(list, content.name);
    if (path) return { document, path };
  }
  return undefined;
}

function editRow({ document, path }: Place, edits: readonly ManifestEdit[]): void {
  for (const edit of edits) document.edit({ ...edit, path: [...path, ...edit.path] });
}

/** Edits the row of an object: in an environment, the one that overrides it, where null removes a value. */
function editObject(
  object: DeclaredObject,
  drift: Pick<Drift, 'code' | 'values'>,
  options: DriftOptions,
): void {
  const list = listOf(object.kind);
  const base = findPlace([list], object, options);
  if (!base) return;
  editRow(base, drift.code);
  const { environment } = options.manifest;
  if (environment === undefined) editRow(base, drift.values);
  if (environment === undefined || drift.values.length === 0) return;
  const overlays = ['environments', environment, list];
  const addRow = (): Place => {
    const { document } = base;
    const { name } = object.content;
    return { document, path: object.kind === 'tenant' ? overlays : document.add(overlays, { name }) };
  };
  const edits = drift.values.map(({ path, value }) => ({ path, value: value ?? null }));
  editRow(findPlace(overlays, object, options) ?? addRow(), edits);
}

/** Brings what the service has of an object back into its files. What the manifest leaves to the service stays so. */
async function takeOver(
  object: DeclaredObject,
  options: DriftOptions,
): Promise<{ files: string[]; variables: string[] }> {
  const { kind, content } = object;
  const row = findRow(options, object);
  const { code, files } = await findCode(kind, row, content, options);
  const { values, variables } = findConfiguration(row, content, options.writer);
  const settings = kind === 'tenant' ? findSettings(row, content) : [];
  editObject(object, { code, values: [...findValues(kind, row, content), ...settings, ...values] }, options);
  if (files.length > 0) {
    const verbatim = await options.code.write(files, row.external as string[] | undefined);
    const unbundled = { path: ['bundle'], value: false };
    if (verbatim && row.bundle !== false) editObject(object, { code: [unbundled], values: [] }, options);
  }
  return { files: files.map(({ path }) => path), variables };
}

export async function takeOverObjects(
  objects: readonly DeclaredObject[],
  project: Project,
  { code, writer }: PullOptions,
  signal: AbortSignal,
): Promise<Written> {
  const written: Written = { files: [], variables: [], leftOut: [] };
  const { manifest } = project;
  if (!manifest) return written;
  for (const object of objects) {
    const undo = project.documents.map((document) => document.checkpoint());
    try {
      const { files, variables } = await takeOver(object, { ...project, manifest, code, writer });
      written.files.push(...files);
      written.variables.push(...variables);
    } catch (error) {
      signal.throwIfAborted();
      for (const restore of undo) restore();
      written.leftOut.push(toLeftOut(object, error));
    }
  }
  return written;
}
