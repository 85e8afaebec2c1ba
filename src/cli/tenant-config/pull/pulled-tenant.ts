import type { Client } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import { listObjects } from '../plan/remote.js';
import { ADAPTERS } from '../resources/adapters.js';
import { ApplicationIds } from '../resources/application-ids.js';
import {
  type ApplicationContent,
  type Contents,
  formatCount,
  type Kind,
  type ProxyContent,
  type ReactorContent,
  type Stored,
  type TenantContent,
  type WebhookContent,
} from '../resources/content.js';

/** An object that a manifest cannot declare, and why. */
export interface LeftOut {
  kind: Exclude<Kind, 'tenant'>;
  name: string;
  reason: string;
}

/** What a tenant contains, with references by name. */
export interface PulledTenant {
  tenant: TenantContent;
  applications: ApplicationContent[];
  reactors: ReactorContent[];
  /** undefined if the service has no proxies, or the key may not read them. */
  proxies: ProxyContent[] | undefined;
  /** undefined if the service has no webhooks, or the key may not read them. */
  webhooks: WebhookContent[] | undefined;
  /** IDs of deleted applications that reactors and proxies still refer to. */
  deleted: ReadonlySet<string>;
  leftOut: LeftOut[];
}

/** Names are keys, so objects that share one cannot be declared. */
function separate<Content extends { name: string }>(
  kind: LeftOut['kind'],
  contents: readonly Content[],
): { unique: Content[]; leftOut: LeftOut[] } {
  const count = (name: string) => contents.filter((one) => one.name === name).length;
  const sorted = [...contents].sort((one, other) => one.name.localeCompare(other.name, 'en'));
  const shared = new Set(sorted.filter(({ name }) => count(name) > 1).map(({ name }) => name));
  return {
    unique: sorted.filter(({ name }) => !shared.has(name)),
    leftOut: [...shared].map((name) => ({
      kind,
      name,
      reason: `${formatCount(count(name), kind)} have this name; rename all but one`,
    })),
  };
}

/** Lists objects of a kind; undefined if the service does not have the kind, or the key may not read it. */
async function listContents<K extends Kind>(client: Client, kind: K): Promise<Contents[K][] | undefined> {
  try {
    return (await listObjects(client, kind)).map(({ content }) => content);
  } catch (error) {
    if (error instanceof ServiceError && (error.status === 404 || error.status === 403)) return undefined;
    throw error;
  }
}

/** Lists the applications that objects refer to and that do not exist. */
function listDeleted(
  contents: readonly { application: string | null }[],
  applications: readonly Stored<'application'>[],
): Set<string> {
  const existing = new Set(applications.map(({ id }) => id));
  return new Set(contents.flatMap(({ application: id }) => (id === null || existing.has(id) ? [] : [id])));
}

/** Reads everything that a manifest can declare. */
export async function readTenant(client: Client): Promise<PulledTenant> {
  const [tenant] = await listObjects(client, 'tenant');
  if (!tenant) throw new Error('A key always has a tenant.');
  const applications = await listObjects(client, 'application');
  const reactors = await listObjects(client, 'reactor');
  const proxies = await listContents(client, 'proxy');
  const webhooks = await listContents(client, 'webhook');
  const ids = new ApplicationIds();
  ids.addAll(applications);
  const separated = {
    applications: separate(
      'application',
      applications.map(({ content }) => content),
    ),
    reactors: separate(
      'reactor',
      reactors.map(({ content }) => ADAPTERS.reactor.normalize(content, ids)),
    ),
    proxies: separate(
      'proxy',
      (proxies ?? []).map((content) => ADAPTERS.proxy.normalize(content, ids)),
    ),
    webhooks: separate('webhook', webhooks ?? []),
  };
  const referring = [...reactors.map(({ content }) => content), ...(proxies ?? [])];
  return {
    tenant: tenant.content,
    applications: separated.applications.unique,
    reactors: separated.reactors.unique,
    proxies: proxies && separated.proxies.unique,
    webhooks: webhooks && separated.webhooks.unique,
    deleted: listDeleted(referring, applications),
    leftOut: Object.values(separated).flatMap((one) => one.leftOut),
  };
}
