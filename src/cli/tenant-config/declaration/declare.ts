import type { Attempt } from '../../lib/attempt.js';
import { hasReference } from '../../manifest/references.js';
import type { SmokeCase, TenantRow } from '../../manifest/schema.js';
import type { ReactorBuild } from '../../reactors/build/build.js';
import type { ProxyBuild } from '../../reactors/build/build-proxies.js';
import type { SelectedReactor } from '../../reactors/project/selection.js';
import type { DeclaredContent, Kind } from '../resources/content.js';

/** An object that the files declare, before it is known what the service has. */
export interface Declared {
  kind: Kind;
  name: string;
  /** The name that the object may still have on the service. */
  previousName?: string | undefined;
  /** The code, relative to the working directory, with forward slashes. */
  file?: string | undefined;
  /** The manifest declares it. Only such an object is recorded in the lock file and may be pruned later. */
  inManifest: boolean;
  /** Run after a change. */
  smoke?: readonly SmokeCase[] | undefined;
  /** What the report says about the object. */
  note?: string | undefined;
  /** Configuration values that contain references, as they are written in the manifest. */
  references?: Readonly<Record<string, string>> | undefined;
  /** Failed if the files are not valid. */
  outcome: Attempt<Draft>;
}

/** What the files say of an object. */
interface Draft {
  content: DeclaredContent;
  /** The code was minified. */
  minified?: boolean | undefined;
}

/** Returns the outcome of a declaration that is valid. */
export const succeeded = (draft: Draft): Attempt<Draft> => ({ ok: true, value: draft, durationMs: 0 });

/** Returns the values of a configuration that contain references. */
export const pickReferences = (configuration: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(configuration).filter(([, value]) => hasReference(value)));

/** Declares objects that are what their rows in the manifest say: applications and webhooks. */
export function declareRows(
  kind: Kind,
  rows: readonly (DeclaredContent & { name: string; previous_name?: string | undefined })[] = [],
): Declared[] {
  return rows.map(({ previous_name, ...content }) => ({
    kind,
    name: content.name,
    previousName: previous_name,
    inManifest: true,
    outcome: succeeded({ content }),
  }));
}

/** The name of the tenant in plans: there is only one. */
const TENANT = 'self';

/** Declares the tenant itself. */
export const declareTenant = (content: TenantRow): Declared => ({
  kind: 'tenant',
  name: TENANT,
  inManifest: true,
  outcome: succeeded({ content }),
});

/** Declares reactors from their builds. */
export function declareReactors(
  entries: readonly SelectedReactor[],
  builds: readonly ReactorBuild[],
): Declared[] {
  return builds.map(({ name, file, inManifest, outcome }, index) => {
    const { previous_name, smoke, configuration } = entries[index] ?? {};
    const declared = { kind: 'reactor' as const, name, previousName: previous_name, file, inManifest, smoke };
    const references = pickReferences(configuration);
    if (!outcome.ok) return { ...declared, references, outcome };
    const { minified, code, configuration: values, application } = outcome.value;
    const content = { name, code, configuration: values, application };
    return { ...declared, references, outcome: { ...outcome, value: { content, minified } } };
  });
}

/** Declares proxies from their builds. */
export function declareProxies(builds: readonly ProxyBuild[]): Declared[] {
  return builds.map(({ entry, file, outcome }) => {
    const { name, previous_name, destination_url, application, require_auth } = entry;
    const declared = { kind: 'proxy' as const, name, previousName: previous_name, file, inManifest: true };
    if (!outcome.ok) return { ...declared, outcome };
    const { request, response, configuration } = outcome.value;
    const content = {
      ...{ name, destination_url, request_transform: request, response_transform: response },
      ...{ configuration, application, require_auth },
    };
    return { ...declared, outcome: { ...outcome, value: { content } } };
  });
}
