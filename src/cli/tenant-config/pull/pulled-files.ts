import yaml from 'yaml';
import { SCHEMA_COMMENT } from '../../lib/schema-comment.js';
import type { ManifestContent } from '../../manifest/schema.js';
import type { Contents, ProxyContent, ReactorContent } from '../resources/content.js';
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

/** A file that a pull writes. */
export interface PulledFile {
  /** Relative to the directory of the manifest, with forward slashes. */
  path: string;
  text: string;
  isSecret?: boolean;
}

/** An object with code, and the files that the code is written to. */
export interface PulledCode<K extends 'reactor' | 'proxy' = 'reactor' | 'proxy'> {
  kind: K;
  content: Contents[K];
  /** The file of each property that is code. */
  files: Record<string, PulledFile>;
  /** References in place of its configuration values. */
  configuration: Record<string, string>;
  /** Environment variables that the references take values from. */
  variables: string[];
}

/** The files of a tenant; the manifest is written last, when it is known how code is built. */
interface PulledFiles {
  reactors: PulledCode<'reactor'>[];
  proxies: PulledCode<'proxy'>[];
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

  replace({ name: owner, configuration }: Pick<ReactorContent, 'name' | 'configuration'>) {
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

/** Plans the files of the transforms that a proxy has. */
function transformFiles(content: ProxyContent, base: string): Record<string, PulledFile> {
  const { request_transform: request, response_transform: response } = content;
  return {
    ...(request !== null && { request_transform: { path: `proxies/${base}.request.js`, text: request } }),
    ...(response !== null && { response_transform: { path: `proxies/${base}.response.js`, text: response } }),
  };
}

/**
 * Plans the files of a tenant.
 * @param secretsDirectory where configuration values are written to, as one file for each; without it, they are references
 * to environment variables and not written at all.
 */
export function planFiles(
  { reactors, proxies = [] }: PulledTenant,
  secretsDirectory: string | undefined,
): PulledFiles {
  const writer = new ReferenceWriter(secretsDirectory);
  const [reactorNames, proxyNames] = [new UniqueNames('file'), new UniqueNames('file')];
  const planned = {
    reactors: reactors.map((content) => ({
      kind: 'reactor' as const,
      content,
      files: { code: { path: `reactors/${reactorNames.add(content.name)}.js`, text: content.code } },
      ...writer.replace(content),
    })),
    proxies: proxies.map((content) => ({
      kind: 'proxy' as const,
      content,
      files: transformFiles(content, proxyNames.add(content.name)),
      ...writer.replace(content),
    })),
  };
  const { secrets } = writer;
  if (secrets.length > 0) secrets.unshift({ path: `${secretsDirectory}/.gitignore`, text: '*\n' });
  return { ...planned, secrets };
}

const HEADER = `${SCHEMA_COMMENT}
# Written by \`tokenctl pull\`. What is not declared here is not managed; see tokenctl docs manifest.
`;

/** An object with code that can be declared, and whether its files are uploaded as they are. */
type DeclaredCode<K extends PulledCode['kind'] = PulledCode['kind']> = PulledCode<K> & {
  verbatim: boolean;
};

/** Formats the manifest. */
export function formatManifest(
  { tenant, applications, proxies: readable, webhooks, deleted }: PulledTenant,
  {
    reactors,
    proxies,
  }: { reactors: readonly DeclaredCode<'reactor'>[]; proxies: readonly DeclaredCode<'proxy'>[] },
  profile: string | undefined,
): string {
  // What refers to a deleted application leaves the reference to the service: a manifest names applications.
  const toReference = (application: string | null) =>
    application !== null && deleted.has(application) ? undefined : application;
  const content: ManifestContent = {
    ...(profile !== undefined && { profile }),
    tenant: { name: tenant.name, settings: tenant.settings },
    applications: applications.map(({ name, type, permissions, rules }) => ({
      name,
      type,
      ...(rules ? { rules } : { permissions }),
    })),
    reactors: reactors.map(({ content: { name, application }, files, configuration, verbatim }) => ({
      name,
      code: files.code?.path ?? '',
      ...(verbatim && { bundle: false }),
      configuration,
      application: toReference(application),
    })),
    ...(readable?.length && {
      proxies: proxies.map(({ content: { name, ...rest }, files, configuration, verbatim }) => ({
        name,
        destination_url: rest.destination_url,
        request_transform: files.request_transform?.path ?? null,
        response_transform: files.response_transform?.path ?? null,
        ...(verbatim && { bundle: false }),
        configuration,
        application: toReference(rest.application),
        require_auth: rest.require_auth,
      })),
    }),
    ...(webhooks?.length && { webhooks }),
  };
  return HEADER + yaml.stringify(content, { lineWidth: 0 });
}
