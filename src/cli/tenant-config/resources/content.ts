import type { AccessRule, Application, OperationBody, Tenant } from '../../../contract/schemas/index.js';

type Webhook = OperationBody<'webhooks.get'>;

/** What a manifest sets of an application. It has either permissions or rules. */
export interface ApplicationContent {
  name: string;
  type: Application['type'];
  permissions?: Application['permissions'];
  rules?: AccessRule[] | undefined;
}

/** What a manifest sets of a reactor. */
export interface ReactorContent {
  name: string;
  code: string;
  configuration: Record<string, string>;
  /** The name of the application, or its ID if the name is not known or not unique; null for none. */
  application: string | null;
}

/** What a manifest sets of a proxy. */
export interface ProxyContent {
  name: string;
  destination_url: string;
  /** Code; null for none. */
  request_transform: string | null;
  response_transform: string | null;
  configuration: Record<string, string>;
  /** As of a reactor. */
  application: string | null;
  require_auth: boolean;
}

/** What a manifest sets of a webhook. */
export interface WebhookContent {
  name: string;
  url: string;
  events: Webhook['events'];
  /** null for none. */
  notify_email: string | null;
}

/** What a manifest sets of the tenant. */
export interface TenantContent {
  name: string;
  settings: Tenant['settings'];
}

/** The kinds of objects and what a manifest sets of each. */
export interface Contents {
  application: ApplicationContent;
  reactor: ReactorContent;
  proxy: ProxyContent;
  webhook: WebhookContent;
  tenant: TenantContent;
}

export type Kind = keyof Contents;

/** All kinds in the order in which they are applied: an object refers to earlier ones only. */
export const KINDS = [
  'application',
  'reactor',
  'proxy',
  'webhook',
  'tenant',
] as const satisfies readonly Kind[];

/** Formats several objects of a kind for messages. */
export const formatCount = (count: number, kind: Kind): string =>
  `${count} ${kind === 'proxy' ? 'proxies' : `${kind}s`}`;

/** An object of the service. */
export interface Stored<K extends Kind> {
  kind: K;
  id: string;
  content: Contents[K];
  createdAt: string;
  /** ID of the application that created it, if the service tells. */
  createdBy?: string | undefined;
  /** Changes with every update; undefined before the first. */
  modifiedAt: string | undefined;
}
