import { didYouMean } from '../../contract/nearest.js';
import { fieldsOfKind, RESOURCES, type Resource } from '../../contract/resources.js';
import { callbackUrl } from '../../contract/schemas/common.js';
import { requireEnvironment } from '../config/project-file.js';
import { usageError } from '../lib/errors.js';
import { replaceEnvironment, replaceVariables } from '../lib/variables.js';
import { locatedAt } from './positions.js';
import { PLACEHOLDER_ENVIRONMENT } from './references.js';
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
  only?: string[] | undefined;
  except?: string[] | undefined;
  configuration?: Record<string, string | null> | undefined;
  permissions?: unknown;
  rules?: unknown;
};

/** Overlays a row. Configuration is merged by name; an application has either permissions or rules, so that one replaces both. */
function overlayRow<Row extends Partial<AnyRow>>(
  { permissions, rules, ...base }: Partial<AnyRow>,
  overlay: Row,
): Row {
  const replaced = overlay.permissions !== undefined || overlay.rules !== undefined;
  const configuration = overlay.configuration && { ...base.configuration, ...overlay.configuration };
  return {
    ...base,
    ...(permissions !== undefined && !replaced && { permissions }),
    ...(rules !== undefined && !replaced && { rules }),
    ...overlay,
    ...(configuration && { configuration: withoutNull(configuration) }),
  };
}

const withoutNull = (values: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** What an environment makes of the manifest; without one, what is the same everywhere. */
export class Overlay {
  readonly #environment: NonNullable<NamedManifest['environments']>[string];
  readonly #variables: Readonly<Record<string, string>>;

  constructor(
    private readonly manifest: NamedManifest,
    private readonly name: string | undefined,
    private readonly path: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {
    this.#environment = name === undefined ? {} : requireEnvironment(manifest.environments, name, path);
    this.#variables = { ...manifest.variables, ...this.#environment.variables };
  }

  /** @throws {CliError} if it overrides what is not declared, or a variable has no value */
  apply(): NamedManifest {
    const { header_prefix, tenant } = this.#environment;
    const external = [...(this.manifest.external ?? []), ...(this.#environment.external ?? [])];
    const collections = Object.values(RESOURCES).map((resource) => [
      resource.collection,
      this.#rows(resource),
    ]);
    return {
      ...this.manifest,
      ...(header_prefix !== undefined && { header_prefix }),
      ...(external.length > 0 && { external }),
      tenant: locatedAt(['tenant'], () =>
        replaceVariables(overlayTenant(this.manifest.tenant, tenant), this.#variables, 'The tenant'),
      ),
      ...Object.fromEntries(collections),
    };
  }

  #rows(resource: Resource): AnyRow[] | undefined {
    const { collection, noun } = resource;
    const rows: readonly AnyRow[] | undefined = this.manifest[collection];
    const overlays: readonly AnyRow[] = this.#environment[collection] ?? [];
    for (const { name } of overlays)
      locatedAt(['environments', this.name ?? '', collection, name], () =>
        this.#assertDeclared(name, rows, collection),
      );
    return rows
      ?.filter((row) => locatedAt([collection, row.name], () => this.#isHere(row, noun)))
      .map(({ only: _, except: __, ...row }) => {
        const defaults = this.manifest.defaults?.[collection] as Partial<AnyRow> | undefined;
        const whole = overlayRow<AnyRow>(defaults ?? {}, row);
        const overlay = overlays.find(({ name }) => name === row.name);
        return locatedAt([collection, row.name], () =>
          this.#resolve(overlay ? overlayRow(whole, overlay) : whole, resource),
        );
      });
  }

  #assertDeclared(
    name: string,
    rows: readonly AnyRow[] | undefined,
    collection: Resource['collection'],
  ): void {
    if (rows?.some((row) => row.name === name)) return;
    throw usageError(
      `environments.${this.name}.${collection} overrides ${JSON.stringify(name)}, which the manifest does not declare.`,
      'Declare it outside of `environments`, which only overrides values; `only` limits it to an environment.',
    );
  }

  #isHere({ name, only, except }: AnyRow, noun: string): boolean {
    const known = Object.keys(this.manifest.environments ?? {});
    const unknown = [...(only ?? []), ...(except ?? [])].find((named) => !known.includes(named));
    if (unknown !== undefined)
      throw usageError(
        `The ${noun} ${JSON.stringify(name)} of ${this.path} names the environment ${JSON.stringify(unknown)}, which does not exist.${didYouMean(unknown, known)}`,
        known.length > 0 ? `Its environments: ${known.join(', ')}.` : undefined,
      );
    if (only && except)
      throw usageError(
        `The ${noun} ${JSON.stringify(name)} of ${this.path} has both \`only\` and \`except\`.`,
      );
    if (this.name === undefined) return only === undefined;
    return only ? only.includes(this.name) : !except?.includes(this.name);
  }

  #resolve(row: AnyRow, resource: Resource): AnyRow {
    const named = `${resource.noun} ${JSON.stringify(row.name)}`;
    const resolved: Record<string, unknown> = replaceVariables({ ...row }, this.#variables, `The ${named}`);
    for (const property of fieldsOfKind(resource, ['url'])) {
      const value = resolved[property];
      if (typeof value === 'string') resolved[property] = this.#address(value, `${property} of the ${named}`);
    }
    return resolved as AnyRow;
  }

  #address(text: string, where: string): string {
    const replaced = replaceEnvironment(text, this.env, where);
    const isMadeUp = this.env === PLACEHOLDER_ENVIRONMENT && !URL.canParse(replaced);
    const found = isMadeUp ? `https://${replaced}.example` : replaced;
    const { error } = callbackUrl.safeParse(found);
    if (!error) return found;
    throw usageError(`${where} ${error.issues[0]?.message}.`);
  }
}
