import { requireEnvironment } from '../config/project-file.js';
import { usageError } from '../lib/errors.js';
import type { ApplicationRow, EnvironmentRow, ManifestContent, ReactorRow, TenantRow } from './schema.js';

/** A manifest whose reactors have names. */
export interface NamedManifest extends ManifestContent {
  reactors?: (ReactorRow & { name: string })[] | undefined;
}

function overlayTenant(base: TenantRow | undefined, overlay: TenantRow | undefined): TenantRow | undefined {
  if (!base || !overlay) return overlay ?? base;
  return { ...base, ...overlay, settings: { ...base.settings, ...overlay.settings } };
}

/** An application has either permissions or rules, so the overlay's replace both. */
function overlayApplication(
  { permissions, rules, ...base }: ApplicationRow,
  overlay: NonNullable<EnvironmentRow['applications']>[number],
): ApplicationRow {
  const replaced = overlay.permissions !== undefined || overlay.rules !== undefined;
  return { ...base, ...(!replaced && { permissions, rules }), ...overlay };
}

/** Configuration is merged by name. */
function overlayConfigured<
  Row extends Pick<ReactorRow, 'configuration'>,
  Overlay extends Pick<ReactorRow, 'configuration'>,
>(base: Row, overlay: Overlay): Row & Overlay {
  const configuration = overlay.configuration && { ...base.configuration, ...overlay.configuration };
  return { ...base, ...overlay, ...(configuration && { configuration }) };
}

/** Merges the rows of an overlay into those of the same name. @throws {CliError} for a name that the manifest lacks */
function overlayByName<Row extends { name: string }, Overlay extends { name: string }>(
  rows: readonly Row[] | undefined,
  overlays: readonly Overlay[] | undefined,
  merge: (row: Row, overlay: Overlay) => Row,
  where: string,
): Row[] | undefined {
  for (const { name } of overlays ?? []) {
    if (rows?.some((row) => row.name === name)) continue;
    throw usageError(
      `${where} overrides ${JSON.stringify(name)}, which the manifest does not declare.`,
      'Declare it outside of `environments`, which only overrides values.',
    );
  }
  return rows?.map((row) => {
    const overlay = overlays?.find(({ name }) => name === row.name);
    return overlay ? merge(row, overlay) : row;
  });
}

/** Applies the values of an environment. @throws {CliError} if it does not exist or overrides what is not declared */
export function applyEnvironment(manifest: NamedManifest, name: string, path: string): NamedManifest {
  const { header_prefix, tenant, applications, reactors, proxies, webhooks } = requireEnvironment(
    manifest.environments,
    name,
    path,
  );
  const where = `environments.${name}`;
  return {
    ...manifest,
    ...(header_prefix !== undefined && { header_prefix }),
    tenant: overlayTenant(manifest.tenant, tenant),
    applications: overlayByName(
      manifest.applications,
      applications,
      overlayApplication,
      `${where}.applications`,
    ),
    reactors: overlayByName(manifest.reactors, reactors, overlayConfigured, `${where}.reactors`),
    proxies: overlayByName(manifest.proxies, proxies, overlayConfigured, `${where}.proxies`),
    webhooks: overlayByName(
      manifest.webhooks,
      webhooks,
      (row, overlay) => ({ ...row, ...overlay }),
      `${where}.webhooks`,
    ),
  };
}
