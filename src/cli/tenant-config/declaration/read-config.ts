import { buildProxies, buildReactors } from '../../reactors/build/build.js';
import { type Project, type ProjectOptions, readProject } from '../../reactors/project/project.js';
import { KINDS, type Kind } from '../resources/content.js';
import { type Declared, declareBuilds, declareRows, declareTenant } from './declare.js';

/** The objects that a command works on: those of these kinds. */
export type Scope = readonly Kind[];

export const WHOLE_TENANT: Scope = KINDS;
export const REACTORS_ONLY: Scope = ['reactor'];

/** What the files declare. */
export interface Config {
  project: Project;
  declared: Declared[];
  /** Kinds that the manifest declares, if only as an empty list. Others are not managed. */
  managed: Scope;
  /** Absolute paths of the files that the declarations depend on, whether they exist or not. */
  inputs: string[];
}

/** Lists the kinds of a scope that the manifest declares. */
function listManaged({ manifest }: Project, scope: Scope): Scope {
  const { applications, reactors, proxies, webhooks, tenant } = manifest?.content ?? {};
  const declared = {
    application: applications,
    reactor: reactors,
    proxy: proxies,
    webhook: webhooks,
    tenant,
  };
  return scope.filter((kind) => declared[kind] !== undefined);
}

/**
 * Reads the manifest, builds reactors and proxies, and declares all objects. What is wrong with one object is part of its
 * declaration.
 * @throws {CliError} if the manifest or a flag is not valid
 */
export async function readConfig(
  scope: Scope,
  options: ProjectOptions,
  signal: AbortSignal,
): Promise<Config> {
  const project = await readProject(options);
  const { manifest } = project;
  const managed = listManaged(project, scope);
  const builds = await buildReactors(project, signal);
  const proxyBuilds = managed.includes('proxy') ? await buildProxies(project, signal) : [];
  const { applications, webhooks, tenant } = manifest?.content ?? {};
  const declared = [
    ...declareRows('application', applications),
    ...declareBuilds('reactor', builds),
    ...declareBuilds('proxy', proxyBuilds),
    ...declareRows('webhook', webhooks),
    ...(tenant ? [declareTenant(tenant)] : []),
  ].filter(({ kind }) => scope.includes(kind));
  const inputs = [...builds, ...proxyBuilds].flatMap((build) => build.inputs);
  return { project, declared, managed, inputs: manifest ? [manifest.path, ...inputs] : inputs };
}
