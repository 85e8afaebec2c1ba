import type {
  Application,
  LogEntry,
  Proxy as ProxyObject,
  Reactor,
  Tenant,
  Webhook,
} from '../../src/contract/schemas/index.js';
import type { TokenType } from '../../src/contract/token-types.js';

/** Stored: the API's objects and what it never returns. An absent value has no property: none is null or undefined. */
type Kept<T> = { [K in keyof T]: Exclude<T[K], undefined | null> } & { created_at: string };

interface Authorship {
  created_by?: string;
  created_at: string;
  modified_by?: string;
  modified_at?: string;
}

export interface TenantRecord extends Kept<Tenant> {
  fingerprint_key: string;
  /** The key that signs the tenant's callbacks. */
  webhook_secret: string;
  /** The RSA key that signs events by version 2, in PEM; made when it is first needed. */
  webhook_signing_key?: string;
}

export interface ApplicationRecord extends Kept<Omit<Application, 'key' | 'keys'>> {
  /** The keys, the oldest first. Keys themselves are not stored. */
  keys?: ApplicationKeyRecord[];
}

export interface ApplicationKeyRecord extends Authorship {
  id: string;
  hash: string;
  /** The last four characters of the key. */
  last4: string;
  name?: string;
  expires_at?: string;
}

interface Activated {
  /** Present if a fault has delayed its activation until a time, or fails it then. */
  activation?: { at: string; fails: boolean };
}
type Derived = 'state' | 'requested' | 'application_id';
export interface ReactorRecord extends Kept<Omit<Reactor, Derived>>, Activated {}
export interface ProxyRecord extends Kept<Omit<ProxyObject, Derived>>, Activated {}
export interface WebhookRecord extends Kept<Omit<Webhook, 'status'>> {
  /** Since when it has accepted no event. */
  failing_since?: string;
  /** Absent while it is enabled. */
  disabled_at?: string;
}
/** An entry of the audit log; holds ids, never data. Its message follows from entity and operation. */
export type LogRecord = Kept<Omit<LogEntry, 'message'>>;

export interface TokenRecord extends Authorship {
  id: string;
  tenant_id: string;
  type: TokenType;
  data: unknown;
  mask?: unknown;
  containers: string[];
  metadata?: Record<string, string>;
  /** The expressions, as the API returns them. */
  search_indexes?: string[];
  /** The values of those expressions; an exact match on one of them finds the token. */
  search_values?: string[];
  fingerprint?: string;
  fingerprint_expression?: string;
  /** With the offset of the request. */
  expires_at?: string;
  /** When the `cvc` in the data expires; absent without one. */
  cvc_expires_at?: string;
  /** Orders tokens that were created at the same time. */
  creation_order?: number;
}

export interface TokenIntentRecord
  extends Pick<TokenRecord, 'id' | 'tenant_id' | 'type' | 'data' | 'fingerprint' | 'created_at'> {
  created_by: string;
  expires_at: string;
}

export interface KeyRecord extends Pick<TokenIntentRecord, 'id' | 'tenant_id' | 'created_by' | 'created_at'> {
  /** PKCS #8 in PEM, encrypted. */
  private_key: string;
  expires_at: string;
}

/** A key that does what a private key has granted it, until it expires. */
export interface SessionRecord extends Pick<ApplicationRecord, 'tenant_id' | 'permissions' | 'rules'> {
  /** The nonce: the hash of its key. */
  id: string;
  /** The application that opened it. */
  application_id: string;
  /** The application that authorized it; absent before, when the key may do nothing. */
  authorized_by?: string;
  expires_at: string;
  created_at: string;
}

/** A token was active in a month, how many were that have no entry any more, or a key was used in an hour. */
export interface ActivityRecord {
  /** `<month>:<token id>`, `<month>`, `<hour>:<key id>` */
  id: string;
  tenant_id: string;
  /** The month of a token: `2026-11`, UTC. */
  month?: string;
  deleted?: true;
  /** How many tokens were active that have no entry any more. */
  count?: number;
  key?: string;
}

/** The stored response of an idempotent request. */
export interface IdempotencyRecord {
  /** Derived from application, method, path and idempotency key. */
  id: string;
  tenant_id: string;
  /** The application that made the request; absent without one. */
  application_id?: string;
  /** The revision of the application when the request was made. */
  application_revision?: number;
  status: number;
  body: unknown;
  /** Headers of the response's own, such as the request id of a 202. */
  headers?: Record<string, string>;
  /** Ids of the tokens in the body: the response is deleted with any of them. */
  token_ids: string[];
  created_at: string;
  expires_at: string;
}

/** A callback, or an event for a webhook, that is still to be delivered. */
export interface DeliveryRecord {
  id: string;
  tenant_id: string;
  /** Of a callback. */
  reactor_id?: string;
  /** Of an event; `record` is that of its body, which the deliveries to all webhooks share. */
  event?: { id: string; type: string; webhook_id: string; record: string };
  /** Events of one key are delivered in the order of `at`. */
  order?: { key: string; at: number };
  url: string;
  body?: string;
  /** Ids of the tokens whose data the body may hold: the callback is deleted with any of them. */
  token_ids: string[];
  /** Trace id of the request that asked for the callback, or caused the event. */
  trace_id?: string;
  /** What signs an event, a secret or an RSA key in PEM, because its tenant may be gone when it is delivered. */
  webhook_secret?: string;
  /** Attempts made so far. */
  attempts: number;
  last_error?: string;
  next_attempt_at: string;
  created_at: string;
}

/** The body of an event, kept until it has been delivered to the last webhook. */
export interface EventRecord {
  id: string;
  tenant_id: string;
  /** Gets the time of delivery before it is signed and sent. */
  body: string;
  created_at: string;
}

/** Anything else that the emulator remembers across starts, by name. Belongs to no tenant. */
type SettingRecord = { id: string; value: unknown };

export interface Records {
  tenants: TenantRecord;
  applications: ApplicationRecord;
  reactors: ReactorRecord;
  proxies: ProxyRecord;
  webhooks: WebhookRecord;
  settings: SettingRecord;
  tokens: TokenRecord;
  'token-intents': TokenIntentRecord;
  sessions: SessionRecord;
  keys: KeyRecord;
  log: LogRecord;
  activity: ActivityRecord;
  idempotency: IdempotencyRecord;
  deliveries: DeliveryRecord;
  events: EventRecord;
}

export type CollectionName = keyof Records;

/** A record as the store returns it. Must not be changed in place; a replacement must have the same revision. */
export type Stored<R> = R & { readonly revision: number };
