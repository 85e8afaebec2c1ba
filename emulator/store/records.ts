import type { Permission, Transform } from '../../src/contract/permissions.js';
import type { TokenType } from '../../src/contract/token-types.js';

/**
 * The shapes the store keeps: the API's objects (snake_case, timestamps as the API prints them) and beside them what
 * the API never shows (key hashes, secrets of a tenant, evaluated search values). Absent means absent: no property
 * holds null or undefined.
 */

interface Authorship {
  created_by?: string;
  created_at: string;
  modified_by?: string;
  modified_at?: string;
}

export interface TenantRecord extends Authorship {
  id: string;
  owner_id: string;
  name: string;
  settings: { fingerprint_tokens: 'true' | 'false'; deduplicate_tokens: 'true' | 'false' };
  /** Base64; the key of the tenant's fingerprints. */
  fingerprint_key: string;
  /** Signs the tenant's callbacks. */
  webhook_secret: string;
}

export interface AccessRule {
  description?: string;
  priority: number;
  container: string;
  transform: Transform;
  permissions: Permission[];
}

export interface ApplicationRecord extends Authorship {
  id: string;
  tenant_id: string;
  name: string;
  type: 'public' | 'private' | 'management';
  permissions?: Permission[];
  rules?: AccessRule[];
  /** Hash of the application's key; the key itself is nowhere. */
  key_hash: string;
}

export interface ReactorRecord extends Authorship {
  id: string;
  tenant_id: string;
  name: string;
  code: string;
  configuration: Record<string, string>;
  application?: { id: string };
}

export interface TokenRecord extends Authorship {
  id: string;
  tenant_id: string;
  type: TokenType;
  data: unknown;
  mask?: unknown;
  containers: string[];
  metadata?: Record<string, string>;
  /** The expressions, as the API shows them. */
  search_indexes?: string[];
  /** What they evaluated to; an exact match on one of these finds the token. */
  search_values?: string[];
  fingerprint?: string;
  fingerprint_expression?: string;
  /** With the offset that was given. */
  expires_at?: string;
  /** When the `cvc` in the data is due to go; absent without one. */
  cvc_expires_at?: string;
}

/** An entry of the audit log; holds ids, never data. */
export interface LogRecord {
  id: string;
  tenant_id: string;
  actor_id?: string;
  actor_type: 'application' | 'reactor' | 'system';
  entity_type: 'token' | 'reactor' | 'application' | 'tenant';
  entity_id?: string;
  operation: 'create' | 'read' | 'update' | 'delete' | 'use' | 'list';
  message: string;
  created_at: string;
}

/** "This token was active in this month"; made by the functions of activity.ts. */
export interface ActivityRecord {
  /** `<month>:<token id>` */
  id: string;
  tenant_id: string;
  /** `2026-11`, UTC. */
  month: string;
}

/** The stored response of an idempotent request. */
export interface IdempotencyRecord {
  /** Made of application, method, path and key. */
  id: string;
  tenant_id: string;
  status: number;
  body: unknown;
  /** Those of the answer's own: the request id of a 202. */
  headers?: Record<string, string>;
  /** Ids of the tokens the body shows: the response goes when one of them goes. */
  token_ids: string[];
  created_at: string;
  expires_at: string;
}

/** A callback still to be delivered. */
export interface DeliveryRecord {
  id: string;
  tenant_id: string;
  reactor_id: string;
  url: string;
  /** The body as it is signed and sent. */
  body: string;
  /** Ids of the tokens whose data the body may hold: it goes when one of them goes. */
  token_ids: string[];
  /** Of the request that asked for the callback. */
  trace_id: string;
  /** Tries made so far. */
  attempts: number;
  next_attempt_at: string;
  created_at: string;
}

/** Whatever else the emulator remembers from start to start, by name; of no tenant. */
export interface SettingRecord {
  id: string;
  value: unknown;
}

export interface Records {
  tenants: TenantRecord;
  applications: ApplicationRecord;
  reactors: ReactorRecord;
  settings: SettingRecord;
  tokens: TokenRecord;
  log: LogRecord;
  activity: ActivityRecord;
  idempotency: IdempotencyRecord;
  deliveries: DeliveryRecord;
}

export type CollectionName = keyof Records;

/** A record as the store gives it: not to be changed in place, and with the revision that a replacement must name. */
export type Stored<R> = R & { readonly revision: number };
