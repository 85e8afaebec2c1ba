import yaml from 'yaml';
import type { ManifestContent } from '../../manifest/schema.js';
import type { ReactorContent } from '../resources/content.js';
import type { PulledTenant } from './pulled-tenant.js';
import { UniqueNames } from './unique-names.js';

/** A file that a pull writes. */
export interface PulledFile {
  /** Relative to the directory of the manifest, with forward slashes. */
  path: string;
  text: string;
  isSecret?: boolean;
}

/** A reactor of the tenant and the file that its code is written to. */
export interface PulledReactor {
  content: ReactorContent;
  file: PulledFile;
  /** References in place of its configuration values. */
  configuration: Record<string, string>;
  /** Environment variables that the references take values from. */
  variables: string[];
}

/** The files of a tenant; the manifest is written last, when it is known how each reactor is built. */
export interface PulledFiles {
  reactors: PulledReactor[];
  secrets: PulledFile[];
}

/** Reading a reference removes the line feed at the end of a file, so a value that has one gets another. */
const toFileText = (value: string): string => (value.endsWith('\n') ? `${value}\n` : value);

/**
 * Plans the files of a tenant.
 * @param secretsDirectory where configuration values are written to, as one file for each; without it, they are references
 * to environment variables and not written at all.
 */
export function planFiles({ reactors }: PulledTenant, secretsDirectory: string | undefined): PulledFiles {
  const [codeNames, variableNames] = [new UniqueNames('file'), new UniqueNames('variable')];
  const secrets: PulledFile[] = [];
  const pulled = reactors.map((content): PulledReactor => {
    const base = codeNames.add(content.name);
    const secretNames = new UniqueNames('file');
    const variables: string[] = [];
    const toReference = (name: string, value: string): string => {
      if (secretsDirectory === undefined) {
        const variable = variableNames.add(`${content.name}_${name}`);
        variables.push(variable);
        return `\${env:${variable}}`;
      }
      const path = `${secretsDirectory}/${base}/${secretNames.add(name)}`;
      secrets.push({ path, text: toFileText(value), isSecret: true });
      return `\${file:${path}}`;
    };
    return {
      content,
      file: { path: `reactors/${base}.js`, text: content.code },
      configuration: Object.fromEntries(
        Object.entries(content.configuration).map(([name, value]) => [name, toReference(name, value)]),
      ),
      variables,
    };
  });
  if (secrets.length > 0) secrets.unshift({ path: `${secretsDirectory}/.gitignore`, text: '*\n' });
  return { reactors: pulled, secrets };
}

const HEADER = `# yaml-language-server: $schema=https://unpkg.com/tokenctl/docs/manifest.schema.json
# Written by \`tokenctl pull\`. What is not declared here is not managed; see docs/manifest.md.
`;

/** Formats the manifest. @param reactors those that can be declared, and whether they are uploaded as they are */
export function formatManifest(
  { tenant, applications, webhooks }: PulledTenant,
  reactors: readonly (PulledReactor & { verbatim: boolean })[],
  profile: string | undefined,
): string {
  const content: ManifestContent = {
    ...(profile !== undefined && { profile }),
    tenant: { name: tenant.name, settings: tenant.settings },
    applications: applications.map(({ name, type, permissions, rules }) => ({
      name,
      type,
      ...(rules ? { rules } : { permissions }),
    })),
    reactors: reactors.map(({ content: { name, application }, file, configuration, verbatim }) => ({
      name,
      code: file.path,
      ...(verbatim && { bundle: false }),
      configuration,
      application,
    })),
    ...(webhooks && { webhooks }),
  };
  return HEADER + yaml.stringify(content, { lineWidth: 0 });
}
