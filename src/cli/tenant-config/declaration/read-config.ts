import { type Noun, RESOURCES } from '../../../contract/resources.js';
import { buildProxies, buildReactors } from '../../reactors/build/build.js';
import { type Project, type ProjectOptions, readProject } from '../../reactors/project/project.js';
import { KINDS, type Kind } from '../resources/content.js';
import { type Declared, declareBuilds, declareRows, declareTenant } from './declare.js';
import { ObjectSelection } from './object-selection.js';

/** The objects that a command works on: those of these kinds. */
export type Scope = readonly Kind[];

export const WHOLE_TENANT: Scope = KINDS;
export const REACTORS_ONLY: Scope = ['reactor'];

export interface Config {
  project: Project;
  declared: Declared[];
  /** Everything in scope that the manifest declares, selected or not. */
  names: readonly Pick<Declared, 'kind' | 'name' | 'previousName'>[];
  selection: ObjectSelection;
  /** Kinds that the manifest declares, if only as an empty list. Others are not managed. */
  managed: Scope;
  /** Absolute paths of the files that the declarations depend on, whether they exist or not. */
  inputs: string[];
}

const rowsOf = ({ manifest }: Project, kind: Noun) => manifest?.content[RESOURCES[kind].collection];

const declareNames = (
  kind: Kind,
  rows: readonly { name: string; previous_name?: string | undefined }[] = [],
) => rows.map(({ name, previous_name }) => ({ kind, name, previousName: previous_name }));

/** Reads and declares all objects. What is wrong with one object is part of its declaration. */
export async function readConfig(
  scope: Scope,
  options: ProjectOptions,
  signal: AbortSignal,
  selection = new ObjectSelection(),
): Promise<Config> {
  const project = await readProject(options);
  const { manifest } = project;
  const tenant = manifest?.content.tenant;
  const managed = scope.filter((kind) => (kind === 'tenant' ? tenant : rowsOf(project, kind)) !== undefined);
  const namesOf = (kind: Kind): Config['names'] => {
    if (kind === 'reactor') return declareNames(kind, project.reactors);
    return kind === 'tenant' ? declareTenant(tenant) : declareNames(kind, rowsOf(project, kind));
  };
  const isSelected = (kind: Kind) => (entry: { name: string }) => selection.includes({ kind, ...entry });
  const reactors = project.reactors.filter(isSelected('reactor'));
  const builds = await buildReactors({ ...project, reactors }, signal);
  const proxies = managed.includes('proxy') ? (manifest?.proxies ?? []).filter(isSelected('proxy')) : [];
  const proxyBuilds = await buildProxies(proxies, project, signal);
  const declare = (kind: Kind): Declared[] => {
    if (kind === 'reactor') return declareBuilds(kind, builds);
    if (kind === 'proxy') return declareBuilds(kind, proxyBuilds);
    return kind === 'tenant' ? declareTenant(tenant) : declareRows(kind, rowsOf(project, kind));
  };
  const inputs = [...builds, ...proxyBuilds].flatMap((build) => build.inputs);
  return {
    project,
    declared: scope.flatMap(declare).filter(selection.includes),
    names: scope.flatMap(namesOf),
    selection,
    managed,
    inputs: manifest ? [manifest.path, ...manifest.included, ...inputs] : inputs,
  };
}
