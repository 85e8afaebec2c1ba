import type { Attempt } from '../../lib/attempt.js';
import { hasReference } from '../../manifest/references.js';
import type { SmokeCase, TenantRow } from '../../manifest/schema.js';
import type { Build } from '../../reactors/build/build.js';
import type { SelectedReactor } from '../../reactors/project/selection.js';
import type { DeclaredContent, Kind } from '../resources/content.js';

/** An object that the files declare, before it is known what the service has. */
export interface Declared {
  kind: Kind;
  name: string;
  /** The name that the object may still have on the service. */
  previousName?: string | undefined;
  file?: string | undefined;
  /** The manifest declares it. Only such an object is recorded in the lock file and may be pruned later. */
  inManifest: boolean;
  smoke?: readonly SmokeCase[] | undefined;
  note?: string | undefined;
  /** Configuration values that contain references, as they are written in the manifest. */
  references?: Readonly<Record<string, string>> | undefined;
  /** Failed if the files are not valid. */
  outcome: Attempt<Draft>;
}

interface Draft {
  content: DeclaredContent;
  minified?: boolean | undefined;
}

export const succeeded = (draft: Draft): Attempt<Draft> => ({ ok: true, value: draft, durationMs: 0 });

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
export const TENANT = 'self';

export const declareTenant = (content: TenantRow | undefined): Declared[] =>
  content ? [{ kind: 'tenant', name: TENANT, inManifest: true, outcome: succeeded({ content }) }] : [];

type BuiltEntry = Partial<
  Pick<SelectedReactor, 'inManifest' | 'previous_name' | 'smoke' | 'configuration'>
> & {
  name: string;
};

export const declareBuilds = (
  kind: 'reactor' | 'proxy',
  builds: readonly Build<BuiltEntry, DeclaredContent & { minified?: boolean }>[],
): Declared[] =>
  builds.map(({ entry, file, outcome }) => ({
    kind,
    name: entry.name,
    previousName: entry.previous_name,
    file,
    inManifest: entry.inManifest ?? true,
    smoke: entry.smoke,
    references: pickReferences(entry.configuration),
    // Of an entry and its build, what is a field of the kind is its content.
    outcome: outcome.ok
      ? { ...outcome, value: { content: { ...entry, ...outcome.value }, minified: outcome.value.minified } }
      : outcome,
  }));
