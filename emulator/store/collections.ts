import { coveringContainers } from '../../src/contract/permissions.js';
import type { OrderedTerms, Terms } from './condition.js';
import type { CollectionName, Records, TokenRecord } from './records.js';

/** Entries that are kept of the audit log of a tenant, of about 500 bytes each. */
const LOG_RETENTION = 250_000;

/** What the store knows of a collection. Everything else reads this from `COLLECTIONS`. */
export interface Collection<N extends CollectionName> {
  /** `document`: few and small, so that processes of a shared store remember them. `journal`: any number. */
  kind: 'document' | 'journal';
  tenantOf(record: Records[N]): string;
  /** Absent: records are ordered by id alone. */
  createdAt?(record: Records[N]): string;
  terms(record: Records[N]): Iterable<readonly [Terms[N], string]>;
  /** The times that have an index, apart from `createdAt`, in the order in which the journal holds them: only append. */
  ordered: { [T in Exclude<OrderedTerms[N], 'created_at'>]: (record: Records[N]) => string | undefined };
  /** Properties that hold secrets: encrypted under --encrypt. */
  secret: readonly (keyof Records[N])[];
  /** Keep only as many of each tenant, the last ones. Such records are not indexed: a query looks at each. */
  retention?: number;
  /** Inserting an existing record changes nothing; elsewhere it is a conflict. */
  once?: true;
}

const tenantId = (record: { tenant_id: string }) => record.tenant_id;
const createdAt = (record: { created_at: string }) => record.created_at;

function tokenTerms(token: TokenRecord): (readonly [Terms['tokens'], string])[] {
  const { containers, metadata = {}, search_values, fingerprint, created_by, modified_by } = token;
  const terms: (readonly [Terms['tokens'], string])[] = [['type', token.type]];
  for (const container of new Set(containers.flatMap(coveringContainers)))
    terms.push(['container', container]);
  for (const [key, value] of Object.entries(metadata))
    terms.push(['metadata', key], [`metadata.${key}`, value.toLowerCase()]);
  if (search_values) for (const value of new Set(search_values)) terms.push(['search', value]);
  if (fingerprint !== undefined) terms.push(['fingerprint', fingerprint]);
  if (created_by !== undefined) terms.push(['created_by', created_by]);
  if (modified_by !== undefined) terms.push(['modified_by', modified_by]);
  return terms;
}

/** What most collections have. */
const usual = { tenantOf: tenantId, createdAt, terms: () => [], ordered: {}, secret: [] };
const document = { ...usual, kind: 'document' } as const;
const journal = { ...usual, kind: 'journal' } as const;

export const COLLECTIONS: { [N in CollectionName]: Collection<N> } = {
  tenants: {
    ...document,
    tenantOf: (tenant) => tenant.id,
    secret: ['fingerprint_key', 'webhook_secret', 'webhook_signing_key'],
  },
  applications: { ...document, terms: (application) => [['type', application.type]] },
  reactors: {
    ...document,
    *terms({ name, application }) {
      yield ['name', name];
      if (application !== undefined) yield ['application', application.id];
    },
    secret: ['configuration'],
  },
  proxies: { ...document, secret: ['configuration', 'key', 'destination_url'] },
  webhooks: document,
  settings: { kind: 'document', tenantOf: () => '', terms: () => [], ordered: {}, secret: [] },
  tokens: {
    ...journal,
    terms: tokenTerms,
    ordered: {
      modified_at: (token) => token.modified_at,
      expires_at: (token) => token.expires_at,
      cvc_expires_at: (token) => token.cvc_expires_at,
    },
    secret: ['data', 'search_values'],
  },
  'token-intents': { ...journal, ordered: { expires_at: (intent) => intent.expires_at }, secret: ['data'] },
  keys: { ...journal, ordered: { expires_at: (key) => key.expires_at }, secret: ['private_key'] },
  sessions: { ...journal, ordered: { expires_at: (session) => session.expires_at } },
  log: {
    ...journal,
    *terms(entry) {
      yield ['entity_type', entry.entity_type];
      yield ['operation', entry.operation];
      if (entry.actor_id !== undefined) yield ['actor_id', entry.actor_id];
      if (entry.entity_id !== undefined) yield ['entity_id', entry.entity_id];
      if (entry.transform !== undefined) yield ['transform', entry.transform];
    },
    retention: LOG_RETENTION,
  },
  activity: {
    kind: 'journal',
    tenantOf: tenantId,
    *terms({ month, deleted, count, key }) {
      if (month !== undefined && count === undefined) yield ['month', month];
      if (deleted) yield ['deleted', 'true'];
      if (key !== undefined) yield ['key', key];
    },
    ordered: {},
    secret: [],
    once: true,
  },
  idempotency: {
    ...journal,
    *terms({ token_ids, application_id }) {
      for (const id of new Set(token_ids)) yield ['token', id];
      if (application_id !== undefined) yield ['application', application_id];
    },
    ordered: { expires_at: (response) => response.expires_at },
    secret: ['body'],
  },
  deliveries: {
    ...journal,
    *terms({ token_ids, event, order }) {
      for (const id of new Set(token_ids)) yield ['token', id];
      if (order) yield ['order', order.key];
      if (event) yield ['event', event.record];
    },
    ordered: { next_attempt_at: (delivery) => delivery.next_attempt_at },
    secret: ['body', 'webhook_secret'],
  },
  events: { ...journal, secret: ['body'] },
};

export const COLLECTION_NAMES = Object.keys(COLLECTIONS) as CollectionName[];

/** Returns what the store knows of a collection that is not known at compile time. */
export function collectionOf(name: CollectionName): Collection<CollectionName> {
  return COLLECTIONS[name] as Collection<CollectionName>;
}
