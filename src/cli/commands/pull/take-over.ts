import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RESOURCES } from '../../../contract/resources.js';
import { usageError } from '../../lib/errors.js';
import type { Manifest } from '../../manifest/manifest.js';
import { hasReference } from '../../manifest/references.js';
import { normalizeText } from '../../reactors/project/selection.js';
import type { ManifestDocument, ManifestEdit } from '../../tenant-config/pull/manifest-document.js';
import {
  codeFiles,
  type PulledFile,
  type ReferenceWriter,
  toLiteral,
} from '../../tenant-config/pull/pulled-files.js';
import { type Content, fieldsOf, type Kind } from '../../tenant-config/resources/content.js';
import { compareFields, listFields } from '../../tenant-config/resources/field.js';
import type { CodeFiles, CodeOptions } from './code-files.js';
import { type PullOptions, toLeftOut, type Written } from './declare-objects.js';
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

/** An object that the manifest declares, as the service has it. */
interface DeclaredObject {
  kind: Kind;
  content: Content;
}

interface DriftOptions {
  manifest: Manifest;
  documents: readonly ManifestDocument[];
  code: CodeFiles;
  writer: ReferenceWriter;
}

type Row = Readonly<Record<string, unknown>> & {
  configuration?: Readonly<Record<string, string>>;
  settings?: Readonly<Record<string, string>>;
};

/** What a row must say instead, by path in it. */
interface Drift {
  /** Values that an environment may override. */
  values: ManifestEdit[];
  /** Values that are the same everywhere. */
  code: ManifestEdit[];
  files: PulledFile[];
  variables: string[];
}

function isDifferent(kind: Kind, field: string, row: Row, content: Content): boolean {
  const { name } = content;
  const declared = listFields(kind, { name, [field]: row[field] } as Content);
  const stored = listFields(kind, { name, [field]: content[field as keyof Content] } as Content);
  return compareFields(stored, declared).length > 0;
}

/** Lists the fields that are one value each, and that a row declares. An application has either permissions or rules. */
function findValues(kind: Kind, row: Row, content: Content): ManifestEdit[] {
  const isAccess = (name: string) => name === 'permissions' || name === 'rules';
  const isDeclared = (name: string) =>
    row[name] !== undefined || (isAccess(name) && (row.permissions ?? row.rules) !== undefined);
  return fieldsOf(kind)
    .filter(
      ([name, field]) =>
        (name !== 'name' || kind === 'tenant') &&
        !field.immutable &&
        !['map', 'code', 'transform'].includes(field.kind),
    )
    .filter(([name]) => isDeclared(name) && isDifferent(kind, name, row, content))
    .map(([name]) => {
      const value = content[name as keyof Content];
      return { path: [name], value: isAccess(name) ? value : (value ?? null) };
    });
}

const findSettings = ({ settings = {} }: Row, content: Content): ManifestEdit[] =>
  Object.entries(content.settings ?? {})
    .filter(([name, value]) => name in settings && settings[name] !== value)
    .map(([name, value]) => ({ path: ['settings', name], value }));

/** Compares configuration by name. Values are compared where the manifest has them, or they are no secrets. */
function findConfiguration(
  row: Row,
  { name, configuration: stored = {} }: Content,
  writer: ReferenceWriter,
): Pick<Drift, 'values' | 'variables'> {
  const { configuration: declared } = row;
  if (!declared) return { values: [], variables: [] };
  const removed = Object.keys(declared).filter((key) => stored[key] === undefined);
  // What an env file holds is not declared by name.
  const isAdded = (key: string) => declared[key] === undefined && row.env_file === undefined;
  const isReplaced = (key: string, value: string) =>
    declared[key] !== undefined &&
    declared[key] !== value &&
    (writer.isLiteral(key) || !hasReference(declared[key] ?? ''));
  const changed = Object.entries(stored).filter(([key, value]) => isAdded(key) || isReplaced(key, value));
  const plain = changed.filter(([key]) => declared[key] !== undefined);
  const added = changed.filter(([key]) => declared[key] === undefined);
  const written = writer.replace({ name, configuration: Object.fromEntries(added) });
  const literal = plain.map(([key, value]) => [key, toLiteral(value)]);
  const values = { ...Object.fromEntries(literal), ...written.configuration };
  const toEdit = (key: string): ManifestEdit => ({ path: ['configuration', key], value: values[key] });
  return { values: [...Object.keys(values), ...removed].map(toEdit), variables: written.variables };
}

/** @throws {CliError} if the code of a file is compiled, so that the service does not have its source */
async function findCode(
  kind: Kind,
  row: Row,
  content: Content,
  { manifest, code }: DriftOptions,
): Promise<Pick<Drift, 'code' | 'files'>> {
  const options: CodeOptions = {
    verbatim: row.bundle === false,
    minify: row.minify as boolean | undefined,
    external: row.external as string[] | undefined,
  };
  const found: Pick<Drift, 'code' | 'files'> = { code: [], files: [] };
  const planned = kind === 'tenant' ? {} : codeFiles(kind, content);
  for (const [name, field] of fieldsOf(kind)) {
    if ((field.kind !== 'code' && field.kind !== 'transform') || row[name] === undefined) continue;
    const text = content[name as keyof Content] as string | null | undefined;
    const path = typeof row[name] === 'string' ? row[name].replaceAll('\\', '/') : row[name];
    if (typeof text !== 'string') {
      if (path !== null) found.code.push({ path: [name], value: null });
    } else if (typeof path !== 'string') {
      const file = planned[name] as PulledFile;
      found.files.push(file);
      found.code.push({ path: [name], value: file.path });
    } else if (!(await code.buildsTo(path, text, options))) {
      const present = await readFile(join(dirname(manifest.path), path), 'utf8').catch(() => undefined);
      if (present !== undefined && !(await code.buildsTo(path, normalizeText(present), options)))
        throw usageError(
          `${path} is the source of the code, not the code that is uploaded; change it by hand. Compare: tokenctl diff ${kind}/${content.name}`,
        );
      found.files.push({ path, text });
    }
  }
  return found;
}
