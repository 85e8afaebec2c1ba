import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../../src/contract/limits.js';
import { ignoreConflict } from '../../store/errors.js';
import type { IdempotencyRecord } from '../../store/records.js';
import type { Store } from '../../store/store.js';
import { bytesOfResponse, isMark } from './record.js';

/** What is read at a time of the responses that an earlier process has stored. */
const PAGE = { limit: 100, maxBytes: 4 * 1024 ** 2 };

/**
 * Stores the responses that do not hold token data. Those of a tenant take at most `LIMITS.storedResponseBytes`: beyond that,
 * the oldest are removed. Of processes that share a store, each bounds what it stores itself and what it found.
 */
export class StoredResponses {
  readonly #store: Store;
  readonly #tenants = new Map<string, Promise<Sizes>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Stores a response, in place of an expired one with its id. */
  async save(record: IdempotencyRecord): Promise<void> {
    const { tenant_id: tenantId, id } = record;
    const sizes = await this.#sizesOf(tenantId);
    sizes.add(sizeOf(record));
    await Promise.all(sizes.takePushedOut().map((oldest) => this.#remove(tenantId, oldest)));
    const expired = await this.#store.get('idempotency', tenantId, id);
    const remove = expired ? [{ remove: 'idempotency' as const, tenantId, id }] : [];
    await this.#store.commit([
      { require: 'tenants', tenantId },
      ...remove,
      { insert: 'idempotency', record },
    ]);
  }

  /** Forgets the sizes of a tenant, or all: the responses have been deleted or replaced. */
  forget(tenantId?: string): void {
    if (tenantId === undefined) this.#tenants.clear();
    else this.#tenants.delete(tenantId);
  }

  #sizesOf(tenantId: string): Promise<Sizes> {
    const known = this.#tenants.get(tenantId);
    if (known) return known;
    const found = this.#read(tenantId);
    this.#tenants.set(tenantId, found);
    found.catch(() => this.#tenants.delete(tenantId));
    return found;
  }

  async #read(tenantId: string): Promise<Sizes> {
    const found: Sized[] = [];
    for (let offset = 0, total = 1; offset < total; ) {
      const page = await this.#store.find('idempotency', { tenantId, offset, ...PAGE });
      found.push(...page.records.filter((record) => !isMark(record)).map(sizeOf));
      total = page.total;
      offset = page.nextOffset ?? offset + PAGE.limit;
    }
    const sizes = new Sizes();
    for (const response of found.reverse()) sizes.add(response);
    return sizes;
  }

  /** Removes a response, unless its key is in flight again in another process, whose mark it is then. */
  async #remove(tenantId: string, id: string): Promise<void> {
    const record = await this.#store.get('idempotency', tenantId, id);
    if (record === undefined || isMark(record)) return;
    const { revision } = record;
    await this.#store.commit([{ remove: 'idempotency', tenantId, id, revision }]).catch(ignoreConflict);
  }
}

interface Sized {
  id: string;
  bytes: number;
}

function sizeOf({ id, body, token_ids }: IdempotencyRecord): Sized {
  return { id, bytes: bytesOfResponse(JSON.stringify(body), token_ids) };
}

/** The sizes of the stored responses of a tenant, in the order in which they were stored. */
class Sizes {
  #pushedOut: string[] = [];
  readonly #sizes = new LRUCache<string, true>({
    maxSize: LIMITS.storedResponseBytes,
    dispose: (_, id, reason) => {
      if (reason === 'evict') this.#pushedOut.push(id);
    },
  });

  add({ id, bytes }: Sized): void {
    this.#sizes.delete(id);
    this.#sizes.set(id, true, { size: bytes });
  }

  /** Returns the ids of the responses that newer ones have pushed out since the last call. */
  takePushedOut(): string[] {
    const ids = this.#pushedOut;
    this.#pushedOut = [];
    return ids;
  }
}
