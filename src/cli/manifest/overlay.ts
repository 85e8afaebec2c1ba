import { RESOURCES } from '../../contract/resources.js';
import { requireEnvironment } from '../config/project-file.js';
import { usageError } from '../lib/errors.js';
import type { ManifestContent, ReactorRow, TenantRow } from './schema.js';

export interface NamedManifest extends ManifestContent {
  reactors?: (ReactorRow & { name: string })[] | undefined;
}

function overlayTenant(base: TenantRow | undefined, overlay: TenantRow | undefined): TenantRow | undefined {
  if (!base || !overlay) return overlay ?? base;
  return { ...base, ...overlay, settings: { ...base.settings, ...overlay.settings } };
}

type AnyRow = {
  name: string;
  configuration?: Record<string, string> | undefined;
  permissions?: unknown;
  rules?: unknown;
};

/** Overlays a row. Configuration is merged by name; an application has either permissions or rules, so that one replaces both. */
function overlayRow<Row extends AnyRow>({ permissions, rules, ...base }: Row, overlay: AnyRow): Row {
  const replaced = overlay.permissions !== undefined || overlay.rules !== undefined;
  const configuration = overlay.configuration && { ...base.configuration, ...overlay.configuration };
  return {
    ...base,
    ...(permissions !== undefined && !replaced && { permissions }),
    ...(rules !== undefined && !replaced && { rules }),
    ...overlay,
    ...(configuration && { configuration }),
  } as Row;
}

/** Merges the rows of an overlay into those of the same name. @throws {CliError} for a name that the manifest lacks */
function overlayByName<Row extends AnyRow>(
  rows: readonly Row[] | undefined,
  overlays: readonly AnyRow[] = [],
  where: string,
): Row[] | undefined {
  for (const { name } of overlays) {
    if (rows?.some((row) => row.name === name)) continue;
    throw usageError(
      `${where} overrides ${JSON.stringify(name)}, which the manifest does not declare.`,
      'Declare it outside of `environments`, which only overrides values.',
    );
  }
  return rows?.map((row) => {
    const overlay = overlays.find(({ name }) => name === row.name);
    return overlay ? overlayRow(row, overlay) : row;
  });
}

/** Applies the values of an environment. @throws {CliError} if it does not exist or overrides what is not declared */
export function applyEnvironment(manifest: NamedManifest, name: string, path: string): NamedManifest {
  const environment = requireEnvironment(manifest.environments, name, path);
  const { header_prefix, tenant } = environment;
  const collections = Object.values(RESOURCES).map(({ collection }) => [
    collection,
    overlayByName<AnyRow>(
      manifest[collection],
      environment[collection],
      `environments.${name}.${collection}`,
    ),
  ]);
  return {
    ...manifest,
    ...(header_prefix !== undefined && { header_prefix }),
    tenant: overlayTenant(manifest.tenant, tenant),
    ...Object.fromEntries(collections),
  };
}
