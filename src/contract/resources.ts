// The table of resources: what the tenant consists of besides its tokens. Plain data without zod, since help texts and completion
// read it. The commands, the lists, and the plans of a manifest are derived from it; what is special about a resource is beside them.

import { APPLICATION_TYPES } from './application-types.js';
import { REPORTED_TYPES } from './event-types.js';
import { LIMITS } from './limits.js';

/** What can be done with the objects of a resource; the second part of an operation's id: `proxies.replace`. */
export type Verb = 'create' | 'list' | 'get' | 'replace' | 'update' | 'delete';

/** What a field holds in the API, from which follows how it is typed, edited, compared and stored. */
export type FieldKind =
  | 'text'
  | 'url'
  | 'boolean'
  /** Names out of a set, without an order: permissions, events. */
  | 'names'
  | 'rules'
  | 'code'
  /** Code in an object: `{ code }`. */
  | 'transform'
  /** JSON as the API has it. */
  | 'json'
  /** Strings by name, which a merge patch changes one by one. */
  | 'map'
  | 'application';

export interface ResourceField {
  kind: FieldKind;
  /** What it is, for help texts. */
  description: string;
  /** Must be given when an object is created or replaced. */
  required?: true;
  /** The value of a new object; of a required field, the one that clients send for it. */
  default?: unknown;
  /** Cannot be changed after the creation. */
  immutable?: true;
  /** Its values are never shown. */
  secret?: true;
  /** What removing the value does: null, or `--no-<flag>`, in an update only or in any request. */
  removal?: { description: string; onlyIn?: 'update' };
  /** The name of its flag, if that is not its own name: `event` for `events`. */
  flag?: string;
  /** The placeholder for the flag's value in help texts, if not that of the kind. */
  placeholder?: string;
  /** Values that completion offers: these, or the names of all permissions. */
  suggest?: readonly string[] | 'permission';
  /** Of a map: the flag for one of its values. */
  entryFlag?: { name: string; description: string };
}

/** How a cell of a list shows a value. */
export type CellFormat =
  | 'id'
  | 'time'
  /** The time of the last change, or of the creation. */
  | 'modified'
  /** Permissions, or the rules in place of them. */
  | 'access'
  | 'application'
  | 'length'
  | 'names'
  | 'words';

export interface ResourceColumn {
  title: string;
  /** Path of the value: `application.id`. */
  field: string;
  format?: CellFormat;
  /** Width below which the column is of no use, if the format does not say. */
  min?: number;
  /** Of columns that do not fit, the one with the lowest importance (0 by default) is dropped first. */
  importance?: number;
}

export type Noun = 'application' | 'reactor' | 'proxy' | 'webhook';

export interface Resource {
  noun: Noun;
  /** The plural in texts, which is also the first part of the paths and of the operations' ids. */
  collection: 'applications' | 'reactors' | 'proxies' | 'webhooks';
  /** What its objects are, for the API documentation. */
  about: string;
  /** Whether service-api.md specifies it. */
  source: 'specified' | 'extension';
  /** The operations that the service has. */
  verbs: readonly Verb[];
  /** What its permissions allow, where that is more than their name says. */
  allows?: { readonly read?: string; readonly update?: string };
  filters: readonly ('id' | 'name')[];
  /** In the order of help texts, requests and forms. */
  fields: Readonly<Record<string, ResourceField>>;
  columns: readonly ResourceColumn[];
  /** What ends with an object that is deleted. */
  deletion?: string;
}

const CONFIGURATION = { kind: 'map', description: 'configuration, a map of strings', secret: true } as const;

export const application = {
  noun: 'application',
  collection: 'applications',
  about: 'API keys, and what they may do.',
  source: 'extension',
  verbs: ['create', 'list', 'get', 'update', 'delete'],
  allows: { update: 'update applications and regenerate their keys' },
  filters: ['id'],
  fields: {
    name: { kind: 'text', description: 'name of the application', required: true },
    type: {
      kind: 'text',
      description: `application type: ${APPLICATION_TYPES.join(', ')}`,
      required: true,
      immutable: true,
      placeholder: 'TYPE',
      suggest: APPLICATION_TYPES,
    },
    permissions: {
      kind: 'names',
      description: 'a permission on all tokens; repeatable or comma-separated',
      flag: 'permission',
      placeholder: 'NAME',
      suggest: 'permission',
    },
    rules: {
      kind: 'rules',
      description: 'access rules, in place of permissions: [{ priority, container, transform, permissions }]',
    },
  },
  columns: [
    { title: 'ID', field: 'id', format: 'id', importance: 1 },
    { title: 'NAME', field: 'name', importance: 4 },
    { title: 'TYPE', field: 'type', importance: 2 },
    { title: 'PERMISSIONS', field: 'permissions', format: 'access', min: 40, importance: 3 },
    { title: 'CREATED', field: 'created_at', format: 'time' },
  ],
  deletion: 'Its key no longer works.',
} as const satisfies Resource;

export const reactor = {
  noun: 'reactor',
  collection: 'reactors',
  about: 'Code that the service runs on token data.',
  source: 'specified',
  verbs: ['create', 'list', 'get', 'replace', 'update', 'delete'],
  filters: ['id', 'name'],
  fields: {
    name: {
      kind: 'text',
      description: `reactor name, up to ${LIMITS.nameCharacters} characters`,
      required: true,
    },
    code: {
      kind: 'code',
      description: `reactor code, up to ${LIMITS.reactorCodeCharacters} characters`,
      required: true,
    },
    configuration: {
      ...CONFIGURATION,
      required: true,
      default: {},
      entryFlag: { name: 'config', description: 'one configuration value' },
    },
    application: {
      kind: 'application',
      description: 'application whose key the code gets as `svc`',
      removal: { description: 'detach the application', onlyIn: 'update' },
    },
    runtime: {
      kind: 'json',
      description: 'how the code runs: { image: "node22" } has the newer contract',
      removal: { description: 'remove the runtime', onlyIn: 'update' },
    },
  },
  columns: [
    { title: 'ID', field: 'id', format: 'id', importance: 5 },
    { title: 'NAME', field: 'name', importance: 4 },
    { title: 'CODE', field: 'code', format: 'length', min: 16 },
    { title: 'CONFIGURATION', field: 'configuration', format: 'names', importance: 1 },
    { title: 'APPLICATION', field: 'application.id', format: 'application', importance: 2 },
    { title: 'MODIFIED', field: 'modified_at', format: 'modified', importance: 3 },
  ],
} as const satisfies Resource;

const TRANSFORM = 'code, as that of a reactor, that runs over';

export const proxy = {
  noun: 'proxy',
  collection: 'proxies',
  about: 'Requests to other services, with token data filled in on the way.',
  source: 'extension',
  verbs: ['create', 'list', 'get', 'replace', 'update', 'delete'],
  filters: ['id', 'name'],
  fields: {
    name: {
      kind: 'text',
      description: `proxy name, up to ${LIMITS.nameCharacters} characters`,
      required: true,
    },
    destination_url: {
      kind: 'url',
      description: 'URL that requests go to; https, or http on this machine',
      required: true,
    },
    request_transform: {
      kind: 'transform',
      description: `${TRANSFORM} each request, with token data`,
      removal: { description: 'remove the request transform' },
    },
    request_transforms: {
      kind: 'json',
      description: 'transforms that run after it, in their order: [{ type, code, options }]',
      removal: { description: 'remove the ordered request transforms', onlyIn: 'update' },
    },
    response_transform: {
      kind: 'transform',
      description: `${TRANSFORM} each successful response`,
      removal: { description: 'remove the response transform' },
    },
    response_transforms: {
      kind: 'json',
      description: 'transforms that run after it, in their order: [{ type, code, options }]',
      removal: { description: 'remove the ordered response transforms', onlyIn: 'update' },
    },
    configuration: {
      ...CONFIGURATION,
      default: {},
      entryFlag: { name: 'config', description: 'one configuration value of the transforms' },
    },
    application: {
      kind: 'application',
      description: 'application whose key the transforms get as `svc`',
      removal: { description: 'detach the application' },
    },
    require_auth: {
      kind: 'boolean',
      description: 'require an API key; the default',
      default: true,
      removal: { description: 'let everybody who knows the key of the proxy use it, without token data' },
    },
    disable_detokenization: {
      kind: 'boolean',
      description: 'forward expressions as they are',
      removal: { description: 'replace expressions by token data; the default' },
    },
    client_certificate: {
      kind: 'text',
      description: 'configuration value with the certificate shown to the destination, and its key (PEM)',
      placeholder: 'NAME',
      removal: { description: 'show no certificate', onlyIn: 'update' },
    },
  },
  // No column for keys; `get` and JSON have them.
  columns: [
    { title: 'ID', field: 'id', format: 'id', importance: 4 },
    { title: 'NAME', field: 'name', importance: 3 },
    { title: 'DESTINATION', field: 'destination_url', importance: 2 },
    { title: 'AUTH', field: 'require_auth', importance: 1 },
  ],
} as const satisfies Resource;

export const webhook = {
  noun: 'webhook',
  collection: 'webhooks',
  about: 'Events about tokens, reactors, applications, proxies and the tenant.',
  source: 'extension',
  verbs: ['create', 'list', 'get', 'replace', 'delete'],
  allows: {
    read: 'get and list webhooks, their event types and signing key',
    update: 'replace and ping webhooks',
  },
  filters: [],
  fields: {
    name: { kind: 'text', description: 'webhook name', required: true },
    url: {
      kind: 'url',
      description: 'URL that events are posted to; https, or http on this machine',
      required: true,
    },
    events: {
      kind: 'names',
      description: 'event type such as token.created, token.* or *; repeatable or comma-separated',
      required: true,
      flag: 'event',
      placeholder: 'TYPE',
      suggest: REPORTED_TYPES,
    },
    notify_email: {
      kind: 'text',
      description: 'address to notify about the webhook',
      placeholder: 'ADDRESS',
    },
    signature_version: {
      kind: 'text',
      description:
        'how events are signed: 1 by HMAC, the default; 2 by RSA-PSS, see: tokenctl webhook signing-key',
      placeholder: 'VERSION',
      suggest: ['1', '2'],
    },
  },
  columns: [
    { title: 'ID', field: 'id', format: 'id', importance: 3 },
    { title: 'NAME', field: 'name', importance: 2 },
    { title: 'STATUS', field: 'status' },
    { title: 'URL', field: 'url', importance: 1 },
    { title: 'EVENTS', field: 'events', format: 'words' },
  ],
  deletion: 'Its pending deliveries are dropped.',
} as const satisfies Resource;

/** In the order of lists: of permissions, of the API documentation, of a tenant file. */
export const RESOURCES: Readonly<Record<Noun, Resource>> = { application, reactor, proxy, webhook };

export const NOUNS = Object.keys(RESOURCES) as Noun[];

export const fieldsOfKind = ({ fields }: Resource, kinds: readonly FieldKind[]): string[] =>
  Object.keys(fields).filter((name) => kinds.includes(fields[name]?.kind as FieldKind));

/** Kinds of fields with texts of callers. Code is left out: libraries hold numbers that pass for card numbers. */
export const TEXT_KINDS: readonly FieldKind[] = ['text', 'url', 'map', 'rules'];

export const hasSecrets = ({ fields }: Resource): boolean =>
  Object.values(fields).some(({ secret }) => secret);
