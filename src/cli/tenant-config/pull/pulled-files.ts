import yaml from 'yaml';
import { fieldsOfKind, NOUNS, type Noun, RESOURCES } from '../../../contract/resources.js';
import { SCHEMA_COMMENT } from '../../lib/schema-comment.js';
import type { Content } from '../resources/content.js';
import { isOptional, type PulledTenant } from './pulled-tenant.js';

/** Makes names that are valid as file names, or as environment variables, and differ from each other. */
class UniqueNames {
  readonly #taken = new Set<string>();

  /** @param style `file`: letters, digits, `-`, `_` and inner dots; `variable`: `CHARGE_API_KEY` */
  constructor(private readonly style: 'file' | 'variable') {}

  /** Returns a name like this text that was not returned before, whatever the case of its letters. */
  add(text: string): string {
    const base = this.style === 'file' ? toFileName(text) : toVariableName(text);
    for (let count = 1; ; count++) {
      const name = count === 1 ? base : `${base}${this.style === 'file' ? '-' : '_'}${count}`;
      if (this.#taken.has(name.toLowerCase())) continue;
      this.#taken.add(name.toLowerCase());
      return name;
    }
  }
}

const MAX_CHARACTERS = 80;

function toFileName(text: string): string {
  const name = text
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, MAX_CHARACTERS);
  return name || 'unnamed';
}

function toVariableName(text: string): string {
  const name = text.toUpperCase().replaceAll(/\W+/g, '_').slice(0, MAX_CHARACTERS);
  return /^[A-Z_]/.test(name) ? name : `_${name}`;
}

export interface PulledFile {
  /** Relative to the directory of the manifest, with forward slashes. */
  path: string;
  text: string;
  isSecret?: boolean;
}

export interface PulledCode {
  kind: Noun;
  content: Content;
  /** The file of each property that is code. */
  files: Record<string, PulledFile>;
  /** References in place of its configuration values. */
  configuration: Record<string, string>;
  /** Environment variables that the references take values from. */
  variables: string[];
}

/** The files of a tenant; the manifest is written last, when it is known how code is built. */
interface PulledFiles {
  code: PulledCode[];
  secrets: PulledFile[];
}

/** Reading a reference removes the line feed at the end of a file, so a value that has one gets another. */
const toFileText = (value: string): string => (value.endsWith('\n') ? `${value}\n` : value);

/** Replaces configuration values by references, whose names differ from each other in the whole tenant. */
class ReferenceWriter {
  readonly secrets: PulledFile[] = [];
  readonly #variables = new UniqueNames('variable');
  readonly #directories = new UniqueNames('file');

  constructor(private readonly secretsDirectory: string | undefined) {}

  replace({ name: owner, configuration = {} }: Content) {
    const directory = this.#directories.add(owner);
    const files = new UniqueNames('file');
    const variables: string[] = [];
    const toReference = (name: string, value: string): string => {
      if (this.secretsDirectory === undefined) {
        const variable = this.#variables.add(`${owner}_${name}`);
        variables.push(variable);
        return `\${env:${variable}}`;
      }
      const path = `${this.secretsDirectory}/${directory}/${files.add(name)}`;
      this.secrets.push({ path, text: toFileText(value), isSecret: true });
      return `\${file:${path}}`;
    };
    const references = Object.entries(configuration).map(([name, value]) => [name, toReference(name, value)]);
    return { configuration: Object.fromEntries(references) as Record<string, string>, variables };
  }
}

const ENDINGS = { code: 'js', request_transform: 'request.js', response_transform: 'response.js' } as const;

/** Plans the files of the code that an object has. @param base their path without its ending */
function codeFiles(content: Content, base: string): Record<string, PulledFile> {
  const properties = Object.keys(ENDINGS) as (keyof typeof ENDINGS)[];
  return Object.fromEntries(
    properties.flatMap((name) => {
      const text = content[name] ?? undefined;
      return text === undefined ? [] : [[name, { path: `${base}.${ENDINGS[name]}`, text }]];
    }),
  );
}

const hasCode = (kind: Noun): boolean => fieldsOfKind(RESOURCES[kind], ['code', 'transform']).length > 0;

/**
 * Plans the files of a tenant.
 * @param secretsDirectory where configuration values are written to, as one file for each; without it, they are references
 * to environment variables and not written at all.
 */
export function planFiles({ contents }: PulledTenant, secretsDirectory: string | undefined): PulledFiles {
  const writer = new ReferenceWriter(secretsDirectory);
  const plan = (kind: Noun) => {
    const names = new UniqueNames('file');
    return (contents[kind] ?? []).map((content) => ({
      kind,
      content,
      files: codeFiles(content, `${RESOURCES[kind].collection}/${names.add(content.name)}`),
      ...writer.replace(content),
    }));
  };
  const code = NOUNS.filter(hasCode).flatMap(plan);
  const { secrets } = writer;
  if (secrets.length > 0) secrets.unshift({ path: `${secretsDirectory}/.gitignore`, text: '*\n' });
  return { code, secrets };
}

const HEADER = `${SCHEMA_COMMENT}
# Written by \`tokenctl pull\`. What is not declared here is not managed; see tokenctl docs manifest.
`;

export type DeclaredCode = PulledCode & { verbatim: boolean };

/** Describes an object with code in the manifest: the paths of its files, and references in place of values. */
function toRow(
  { content, files, configuration, verbatim }: DeclaredCode,
  deleted: PulledTenant['deleted'],
): object {
  const paths = Object.fromEntries(Object.entries(files).map(([name, { path }]) => [name, path]));
  const { configuration: _, application, require_auth, ...others } = { ...content, ...paths };
  return {
    ...others,
    ...(verbatim && { bundle: false }),
    configuration,
    // A manifest names applications. What refers to a deleted one leaves the reference to the service.
    application: application && deleted.has(application) ? undefined : application,
    require_auth,
  };
}

export function formatManifest(
  { contents, deleted }: PulledTenant,
  declared: readonly DeclaredCode[],
  profile: string | undefined,
): string {
  const rowsOf = (kind: Noun) => {
    const all = contents[kind] ?? [];
    if (isOptional(kind) && all.length === 0) return undefined;
    if (!hasCode(kind)) return all;
    return declared.filter((one) => one.kind === kind).map((one) => toRow(one, deleted));
  };
  const sections = NOUNS.map((kind) => [RESOURCES[kind].collection, rowsOf(kind)]);
  const content = { profile, tenant: contents.tenant?.[0], ...Object.fromEntries(sections) };
  return HEADER + yaml.stringify(content, { lineWidth: 0 });
}
