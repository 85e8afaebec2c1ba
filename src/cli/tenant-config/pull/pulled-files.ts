import { fieldsOfKind, NOUNS, type Noun, RESOURCES } from '../../../contract/resources.js';
import type { Content } from '../resources/content.js';
import type { PulledTenant } from './pulled-tenant.js';

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

/** Names of devices on Windows, whatever follows their first dot. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

function toFileName(text: string): string {
  const name = text
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, MAX_CHARACTERS);
  return DEVICE.test(name) ? `_${name}` : name || 'unnamed';
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
  files: Record<string, PulledFile>;
  /** References in place of its configuration values. */
  configuration: Record<string, string>;
  /** Environment variables that the references take values from. */
  variables: string[];
}

/** Reading a reference removes the line feed at the end of a file, so a value that has one gets another. */
const toFileText = (value: string): string => (value.endsWith('\n') ? `${value}\n` : value);

/** Keeps a value from being read as a reference. */
export const toLiteral = (value: string): string => value.replace(/\$\{(?:var|env|file|command):/g, '$$$&');

interface ReferenceOptions {
  /** Where configuration values are written to, as one file for each; without it, they are not written at all. */
  secretsDirectory: string | undefined;
  /** Names of configuration whose values are no secrets and are written as they are. */
  literal: readonly string[];
  /** Texts that may refer to variables, whose names are taken. */
  present: string;
}

/** Replaces configuration values by references, whose names differ from each other in the whole tenant. */
export class ReferenceWriter {
  readonly #secrets: PulledFile[] = [];
  readonly #variables = new UniqueNames('variable');
  readonly #directories = new UniqueNames('file');

  constructor(private readonly options: ReferenceOptions) {
    for (const [, name = ''] of options.present.matchAll(/\$\{env:([^}]*)\}/g)) this.#variables.add(name);
  }

  get files(): PulledFile[] {
    const ignored = { path: `${this.options.secretsDirectory}/.gitignore`, text: '*\n' };
    return this.#secrets.length > 0 ? [ignored, ...this.#secrets] : [];
  }

  isLiteral(name: string): boolean {
    return this.options.literal.includes(name);
  }

  replace({ name: owner, configuration = {} }: Pick<Content, 'name' | 'configuration'>) {
    const directory = this.#directories.add(owner);
    const files = new UniqueNames('file');
    const variables: string[] = [];
    const toReference = (name: string, value: string): string => {
      if (this.isLiteral(name)) return toLiteral(value);
      const { secretsDirectory } = this.options;
      if (secretsDirectory === undefined) {
        const variable = this.#variables.add(`${owner}_${name}`);
        variables.push(variable);
        return `\${env:${variable}}`;
      }
      const path = `${secretsDirectory}/${directory}/${files.add(name)}`;
      this.#secrets.push({ path, text: toFileText(value), isSecret: true });
      return `\${file:${path}}`;
    };
    const references = Object.entries(configuration).map(([name, value]) => [name, toReference(name, value)]);
    return { configuration: Object.fromEntries(references) as Record<string, string>, variables };
  }
}

const ENDINGS = { code: 'js', request_transform: 'request.js', response_transform: 'response.js' } as const;

export function codeFiles(
  kind: Noun,
  content: Content,
  names = new UniqueNames('file'),
): Record<string, PulledFile> {
  const base = `${RESOURCES[kind].collection}/${names.add(content.name)}`;
  const properties = Object.keys(ENDINGS) as (keyof typeof ENDINGS)[];
  return Object.fromEntries(
    properties.flatMap((name) => {
      const text = content[name] ?? undefined;
      return text === undefined ? [] : [[name, { path: `${base}.${ENDINGS[name]}`, text }]];
    }),
  );
}

const hasCode = (kind: Noun): boolean => fieldsOfKind(RESOURCES[kind], ['code', 'transform']).length > 0;

export function planCode({ objects }: PulledTenant, writer: ReferenceWriter): PulledCode[] {
  const plan = (kind: Noun) => {
    const names = new UniqueNames('file');
    return objects
      .filter((one) => one.kind === kind)
      .map(({ content }) => ({
        kind,
        content,
        files: codeFiles(kind, content, names),
        ...writer.replace(content),
      }));
  };
  return NOUNS.filter(hasCode).flatMap(plan);
}

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

export const toRows = (
  { objects, deleted }: PulledTenant,
  declared: readonly DeclaredCode[],
): [kind: Noun, rows: readonly object[]][] =>
  NOUNS.map((kind) => [
    kind,
    hasCode(kind)
      ? declared.filter((one) => one.kind === kind).map((one) => toRow(one, deleted))
      : objects.filter((one) => one.kind === kind).map(({ content }) => content),
  ]);
