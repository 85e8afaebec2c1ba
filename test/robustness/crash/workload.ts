import { ConflictError } from '../../../emulator/store/errors.js';
import type { LogRecord, TokenRecord } from '../../../emulator/store/records.js';
import type { Change, Store } from '../../../emulator/store/store.js';

export const TENANTS = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
] as const;

/** Returns a repeatable source of random numbers in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The values that each record may have: the acknowledged one, and those in flight when the process stopped. */
export class Model {
  /** Possible values by tenant and id; undefined for a record that does not exist. */
  readonly #possible = new Map<string, Set<string | undefined>>();
  /** Values whose deletion was acknowledged: no file may contain them. */
  readonly deleted = new Set<string>();

  possible(key: string): Set<string | undefined> {
    return this.#possible.get(key) ?? new Set([undefined]);
  }

  keys(): string[] {
    return [...this.#possible.keys()];
  }

  begin(effects: Map<string, string | undefined>): void {
    for (const [key, value] of effects) this.#possible.set(key, new Set([...this.possible(key), value]));
  }

  acknowledge(effects: Map<string, string | undefined>): void {
    for (const [key, value] of effects) {
      for (const old of this.possible(key)) if (old !== undefined && old !== value) this.deleted.add(old);
      this.#possible.set(key, new Set([value]));
    }
  }
}

interface Step {
  changes: Change[];
  effects: Map<string, string | undefined>;
}

export function token(tenantId: string, id: string, data: string): TokenRecord {
  return {
    id,
    tenant_id: tenantId,
    type: 'token',
    data,
    containers: ['/general/high/'],
    metadata: { group: id.slice(0, 1) },
    search_values: [data.slice(0, 8)],
    created_at: '2026-11-01T00:00:00.000Z',
  };
}

/** Returns an audit log entry of a read. */
export function entry(tenantId: string, id: string): LogRecord {
  return {
    id,
    tenant_id: tenantId,
    actor_type: 'system',
    entity_type: 'token',
    operation: 'list',
    created_at: '2026-11-01T00:00:00.000Z',
  };
}

export function keyOf(tenantId: string, id: string): string {
  return `${tenantId} ${id}`;
}

/** Changes the store at random, step by step, and keeps a model of its content. */
export class Workload {
  readonly model = new Model();
  readonly #store: Store;
  readonly #random: () => number;
  #counter = 0;

  constructor(store: Store, random: () => number) {
    this.#store = store;
    this.#random = random;
  }

  async step(): Promise<void> {
    if (this.#random() < 0.3) await this.#read();
    const { changes, effects } = await this.#next();
    if (changes.length === 0) return;
    this.model.begin(effects);
    try {
      await this.#store.commit(changes);
    } catch (error) {
      if (error instanceof ConflictError) throw error;
      return;
    }
    this.model.acknowledge(effects);
  }

  /** Records an entry without waiting for it; the search for it has it written. */
  async #read(): Promise<void> {
    const tenantId = this.#tenant();
    this.#counter += 1;
    const id = `read-${this.#counter}`;
    this.#store.record([{ insert: 'log', record: entry(tenantId, id) }]);
    await this.#store.find('log', { tenantId, limit: 0 });
  }

  #tenant(): string {
    return TENANTS[Math.floor(this.#random() * TENANTS.length)] ?? '';
  }

  async #next(): Promise<Step> {
    const roll = this.#random();
    const tenantId = this.#tenant();
    if (roll < 0.45) return this.#insertSome(tenantId, 1);
    if (roll < 0.55) return this.#insertSome(tenantId, 3);
    if (roll < 0.75) return this.#update(tenantId);
    if (roll < 0.93) return this.#remove(tenantId);
    if (roll < 0.96) return this.#setting();
    return this.#clear(roll < 0.985 ? tenantId : undefined);
  }

  #value(): string {
    this.#counter += 1;
    const secret = Math.floor(this.#random() * 1e9).toString(36);
    return `secret-${this.#counter}-${secret}-${'x'.repeat(Math.floor(this.#random() * 900))}`;
  }

  #insertSome(tenantId: string, count: number): Step {
    const step: Step = { changes: [], effects: new Map() };
    for (let i = 0; i < count; i += 1) {
      const value = this.#value();
      const id = `token-${this.#counter}`;
      step.changes.push({ insert: 'tokens', record: token(tenantId, id, value) });
      step.effects.set(keyOf(tenantId, id), value);
    }
    return step;
  }

  async #pick(tenantId: string) {
    const { records } = await this.#store.find('tokens', { tenantId });
    return records[Math.floor(this.#random() * records.length)];
  }

  async #update(tenantId: string): Promise<Step> {
    const record = await this.#pick(tenantId);
    if (record === undefined) return this.#insertSome(tenantId, 1);
    const data = this.#value();
    return {
      changes: [{ replace: 'tokens', record: { ...record, data, search_values: [data.slice(0, 8)] } }],
      effects: new Map([[keyOf(tenantId, record.id), data]]),
    };
  }

  async #remove(tenantId: string): Promise<Step> {
    const record = await this.#pick(tenantId);
    if (record === undefined) return this.#insertSome(tenantId, 1);
    return {
      changes: [{ remove: 'tokens', tenantId, id: record.id, revision: record.revision }],
      effects: new Map([[keyOf(tenantId, record.id), undefined]]),
    };
  }

  async #setting(): Promise<Step> {
    const value = this.#value();
    const [known] = (await this.#store.find('settings', {})).records;
    const change: Change =
      known === undefined
        ? { insert: 'settings', record: { id: 'setting', value } }
        : { replace: 'settings', record: { ...known, value } };
    return { changes: [change], effects: new Map([[keyOf('', 'setting'), value]]) };
  }

  async #clear(tenantId: string | undefined): Promise<Step> {
    const effects = new Map<string, string | undefined>();
    const { records } = await this.#store.find('tokens', tenantId === undefined ? {} : { tenantId });
    const stored = records.map((record) => keyOf(record.tenant_id, record.id));
    for (const key of [...this.model.keys(), ...stored]) {
      if (tenantId === undefined || key.startsWith(tenantId)) effects.set(key, undefined);
    }
    return {
      changes: [tenantId === undefined ? { clear: 'everything' } : { clear: 'tenant', tenantId }],
      effects,
    };
  }
}

/** Describes the records of a store that the model does not allow; empty if there are none. */
export async function differences(store: Store, model: Model): Promise<string[]> {
  const found = new Map<string, string>();
  for (const record of (await store.find('tokens', {})).records) {
    found.set(keyOf(record.tenant_id, record.id), String(record.data));
  }
  for (const record of (await store.find('settings', {})).records) {
    found.set(keyOf('', record.id), String(record.value));
  }
  const wrong: string[] = [];
  for (const key of new Set([...model.keys(), ...found.keys()])) {
    const value = found.get(key);
    if (!model.possible(key).has(value)) {
      wrong.push(
        `${key} is ${value ?? 'gone'}, not ${[...model.possible(key)].map((v) => v ?? 'gone').join(' or ')}`,
      );
    }
  }
  return wrong;
}
