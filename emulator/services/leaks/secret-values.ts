import { LRUCache } from 'lru-cache';
import { NAMED_CHARACTERS, saysNothing } from '../../../src/contract/named-values.js';
import { TOKEN_FIELDS } from '../../../src/contract/token-fields.js';
import type { TokenRecord } from '../../store/records.js';

/** The shortest value that is searched for anywhere. A shorter one counts only behind its name. */
export const LONG_CHARACTERS = NAMED_CHARACTERS + 1;

/** Limits on the number of values and on their characters. The oldest are dropped. */
const KEPT_VALUES = 20_000;
const KEPT_CHARACTERS = 16 * 1024 * 1024;

/** A value of a token that must not appear outside of the service. */
export interface SecretValue {
  value: string;
  tokenId: string;
  tenantId: string;
  /** Property path: `data.number`. */
  path: string;
  /** The name of the property; absent for data that is a primitive, and for items of arrays. */
  name?: string;
}

type SecretToken = Pick<TokenRecord, 'id' | 'tenant_id' | 'type' | 'data' | 'mask'>;

/** What follows the values. */
interface ValueListener {
  add(secret: SecretValue): void;
  remove(secret: SecretValue): void;
}

/** Collects the values of tokens. What a mask shows plainly, and properties such as the expiration of a card, are not secret. */
export class SecretValues {
  readonly #values: LRUCache<string, SecretValue>;
  /** Values that are not secret in tokens added later. */
  readonly #allowed = new LRUCache<string, true>({
    max: KEPT_VALUES,
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_isAllowed, value) => value.length + 1,
  });

  constructor(private readonly listener: ValueListener) {
    this.#values = new LRUCache<string, SecretValue>({
      max: KEPT_VALUES,
      maxSize: KEPT_CHARACTERS,
      sizeCalculation: ({ value, path }) => value.length + path.length,
      dispose: (secret) => listener.remove(secret),
    });
  }

  add(token: SecretToken): void {
    for (const secret of secretsOf(token)) {
      const key = secret.value.length >= LONG_CHARACTERS ? secret.value : `${secret.name}\n${secret.value}`;
      if (this.#values.has(key) || this.#allowed.has(secret.value)) continue;
      this.#values.set(key, secret);
      this.listener.add(secret);
    }
  }

  /** Marks a value as not secret in tokens added later, unless a token added before holds it. */
  allow(value: string): void {
    if (!this.#values.has(value)) this.#allowed.set(value, true);
  }
}

/** Lists the strings and numbers of a value, numbers as text. */
export function leavesOf(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

function secretsOf({ id, tenant_id, type, data, mask }: SecretToken): SecretValue[] {
  const found: SecretValue[] = [];
  const fields = TOKEN_FIELDS[type];
  const visit = (value: unknown, masked: unknown, path: string, name: string | undefined) => {
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      const isFindable = text.length >= LONG_CHARACTERS || (text !== '' && name !== undefined);
      if (isFindable && !saysNothing(text) && !showsPlainly(masked, path))
        found.push({
          value: text,
          tokenId: id,
          tenantId: tenant_id,
          path,
          ...(name !== undefined && { name }),
        });
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        visit(item, childOf(masked, index), `${path}.${index}`, undefined);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        if (path === 'data' && fields?.[key]?.sensitive === false) continue;
        visit(item, childOf(masked, key), `${path}.${key}`, key);
      }
    }
  };
  visit(data, mask, 'data', undefined);
  return found;
}

/** Whether a mask is the value itself: `{{ data.expiration_month }}`. */
function showsPlainly(mask: unknown, path: string): boolean {
  return typeof mask === 'string' && /^\{\{\s*([\w.]+)\s*\}\}$/.exec(mask)?.[1] === path;
}

function childOf(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string | number, unknown>)[key]
    : undefined;
}
