import { dirname, resolve } from 'node:path';
import type * as z from 'zod';
import { didYouMean, findNearest } from '../../contract/nearest.js';
import type { ModuleAliases } from '../../contract/reactor-runtime.js';
import { type Noun, RESOURCES } from '../../contract/resources.js';
import { type FieldErrors, fieldErrors, knownProperties } from '../../contract/validation.js';
import { findUpwards, PROJECT_FILE_NAMES } from '../config/paths.js';
import { readParts } from '../config/project-parts.js';
import { CliError, helpFor, suggest, usageError } from '../lib/errors.js';
import { isWord } from '../lib/text.js';
import { type NamedManifest, Overlay } from './overlay.js';
import { listPaths, locatedAt, withPositions } from './positions.js';
import { PLACEHOLDER_ENVIRONMENT } from './references.js';
import { defaultReactorName } from './row-name.js';
import { type ManifestContent, manifestSchema, type ProxyRow, type ReactorRow } from './schema.js';

export { defaultReactorName };

/** A row of the manifest with code. Its paths are absolute. */
type Entry<Row> = Omit<Row, 'name' | 'external'> & {
  name: string;
  /** Modules to leave out of the bundle because the runtime has them in addition to the service's own. */
  external: readonly string[];
};

/** A reactor as the manifest or the command line describes it. What is undefined stays as the service has it. */
export type ReactorEntry = Entry<ReactorRow>;

/** A proxy as the manifest describes it. What is undefined stays as the service has it. */
export type ProxyEntry = Entry<ProxyRow>;

export interface Manifest {
  path: string;
  included: string[];
  environment: string | undefined;
  /** The only tenant that the chosen environment may be applied to. */
  tenantId: string | undefined;
  content: NamedManifest;
  /** Names by which reactors require provided modules, and the modules. */
  moduleAliases: ModuleAliases;
  reactors: ReactorEntry[];
  proxies: ProxyEntry[];
}

const PATHS = new Set(['code', 'env_file', 'request_transform', 'response_transform']);

/** Resolves the paths of a row. Accepts backslashes, so that a manifest written on Windows works everywhere. */
function toEntry<Row extends { name: string; external?: string[] | undefined }>(
  row: Row,
  directory: string,
  shared: readonly string[] = [],
): Entry<Row> {
  const resolved = Object.entries(row).map(([name, value]) => [
    name,
    PATHS.has(name) && typeof value === 'string' ? resolve(directory, value.replaceAll('\\', '/')) : value,
  ]);
  return { ...Object.fromEntries(resolved), external: [...shared, ...(row.external ?? [])] };
}

/** Of two objects with the same name, the second would overwrite the first. */
export function assertUniqueNames(
  rows: readonly { name: string }[],
  where: string,
  kind: Noun = 'reactor',
): void {
  const names = rows.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  const error = usageError(
    `${where} contains the ${kind} ${JSON.stringify(twice)} more than once.`,
    `Give each ${kind} a different name in the manifest.`,
  );
  error.failure.at = [RESOURCES[kind].collection, twice];
  throw error;
}

function assertForgottenUndeclared(manifest: NamedManifest, path: string): void {
  const rows = Object.values(RESOURCES).flatMap(({ collection }) => manifest[collection] ?? []);
  const declared = new Set(rows.map(({ name }) => name));
  const both = manifest.forget?.find((name) => declared.has(name));
  if (both !== undefined)
    throw usageError(`${path} both declares and forgets ${JSON.stringify(both)}.`, 'Remove one of the two.');
}

/** @param what names the file in errors, with its path @param env replaces references in addresses; made-up values by default */
export async function readManifest(
  path: string,
  environment?: string,
  what = `The project file ${path}`,
  env = PLACEHOLDER_ENVIRONMENT,
): Promise<Manifest> {
  const { document, included } = await readParts(path, what);
  const parsed = manifestSchema.safeParse(document, { reportInput: true });
  const files = [path, ...included];
  if (!parsed.success) {
    const errors = describeErrors(parsed.error, manifestSchema);
    const error = new CliError('usage', `The manifest ${path} is not valid.`, { errors });
    throw await withPositions(error, files, listPaths(parsed.error));
  }
  try {
    return { path, included, environment, ...completeManifest(parsed.data, path, environment, env) };
  } catch (error) {
    throw await withPositions(error, files);
  }
}

/** Applies an environment to the content of a manifest, and resolves its paths. @throws {CliError} */
function completeManifest(
  data: ManifestContent,
  path: string,
  environment: string | undefined,
  env: typeof PLACEHOLDER_ENVIRONMENT,
): Omit<Manifest, 'path' | 'included' | 'environment'> {
  const named: NamedManifest = {
    ...data,
    reactors: data.reactors?.map((row) => ({
      ...row,
      name: row.name ?? defaultReactorName(row.code),
    })),
  };
  const content = new Overlay(named, environment, path, env).apply();
  for (const { noun, collection } of Object.values(RESOURCES))
    assertUniqueNames(content[collection] ?? [], path, noun);
  locatedAt(['forget'], () => assertForgottenUndeclared(content, path));
  const reactors = (content.reactors ?? []).map((row) => toEntry(row, dirname(path), content.external));
  const proxies = (content.proxies ?? []).map((row) => toEntry(row, dirname(path), content.external));
  const tenantId = environment === undefined ? undefined : content.environments?.[environment]?.tenant_id;
  const moduleAliases = content.module_aliases ?? {};
  return { tenantId, content, moduleAliases, reactors, proxies };
}

export async function findManifest(
  cwd: string,
  environment?: string,
  env = PLACEHOLDER_ENVIRONMENT,
): Promise<Manifest | undefined> {
  const path = findUpwards(cwd, PROJECT_FILE_NAMES);
  return path === undefined ? undefined : readManifest(path, environment, undefined, env);
}

const describeUnknown = (property: string, known: readonly string[]): string =>
  `is not a known property.${didYouMean(property, known)} Known: ${known.join(', ')}`;

const toName = (path: readonly PropertyKey[]): string => path.map(String).join('.');

/** @returns what is accepted, behind the value if it is a word, and no secret in the wrong place */
function describeValue({ values, input }: z.core.$ZodIssueInvalidValue, message: string): string {
  const given = String(input);
  const text = `${isWord(given) ? `${given} ` : ''}${helpFor(message)}`;
  const nearest = findNearest(given, values.map(String));
  return nearest === undefined ? text : suggest(text, nearest);
}

/** Converts a failed parse to errors by property path. What is unknown names the nearest that is known. */
function describeErrors(error: z.ZodError, schema: z.ZodType): FieldErrors {
  const errors = fieldErrors(error);
  for (const issue of error.issues) {
    const name = toName(issue.path);
    if (issue.code === 'invalid_value')
      errors[name] = [describeValue(issue, errors[name]?.[0] ?? issue.message)];
    if (issue.code !== 'unrecognized_keys') continue;
    const known = knownProperties(schema, issue.path);
    for (const key of issue.keys) errors[toName([...issue.path, key])] = [describeUnknown(key, known)];
  }
  return errors;
}
