import { NOUNS, type Noun, RESOURCES, type ResourceField } from '../../../contract/resources.js';
import type {
  AccessRule,
  Application,
  Proxy as ProxyObject,
  Reactor,
  Tenant,
  Webhook,
} from '../../../contract/schemas/index.js';

export type Kind = Noun | 'tenant';

/** All kinds in the order in which they are applied: an object refers to earlier ones only. */
export const KINDS: readonly Kind[] = [...NOUNS, 'tenant'];

/** What a manifest sets of an object: the fields of its kind. null stands for no value. */
export interface Content {
  name: string;
  type?: Application['type'];
  /** An application has either permissions or rules. */
  permissions?: Application['permissions'];
  rules?: AccessRule[] | undefined;
  code?: string;
  runtime?: Reactor['runtime'] | null;
  destination_url?: string;
  request_transform?: string | null;
  response_transform?: string | null;
  request_transforms?: ProxyObject['request_transforms'] | null;
  response_transforms?: ProxyObject['response_transforms'] | null;
  configuration?: Record<string, string>;
  /** The name of an application, or its ID if the name is not known or not unique. */
  application?: string | null;
  require_auth?: boolean;
  disable_detokenization?: boolean | null;
  client_certificate?: string | null;
  url?: string;
  events?: Webhook['events'];
  notify_email?: string | null;
  signature_version?: string | null;
  settings?: Tenant['settings'];
}

/** What the files say of the content of an object; undefined is left to the service. */
export type DeclaredContent = { readonly [Name in keyof Content]?: unknown };

type ContentField = Omit<ResourceField, 'description'>;

const TENANT_FIELDS: Readonly<Record<string, ContentField>> = {
  name: { kind: 'text' },
  settings: { kind: 'map' },
};

export const fieldsOf = (kind: Kind): [name: string, field: ContentField][] =>
  Object.entries(kind === 'tenant' ? TENANT_FIELDS : RESOURCES[kind].fields);

export const formatCount = (count: number, kind: Kind): string =>
  `${count} ${kind === 'tenant' ? 'tenants' : RESOURCES[kind].collection}`;

export interface Stored {
  kind: Kind;
  id: string;
  content: Content;
  createdAt: string;
  /** ID of the application that created it, if the service tells. */
  createdBy?: string | undefined;
  /** Of a reactor or proxy: whether it can be invoked, and why not. */
  state?: Pick<Partial<Reactor>, 'state' | 'requested'>;
  /** Changes with every update; undefined before the first. */
  modifiedAt: string | undefined;
}
