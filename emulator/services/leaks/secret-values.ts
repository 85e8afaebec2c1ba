import { LRUCache } from 'lru-cache';
import { NAMED_CHARACTERS, NamedValues, saysNothing } from '../../../src/contract/named-values.js';
import { TOKEN_FIELDS } from '../../../src/contract/token-fields.js';
import type { TokenRecord } from '../../store/records.js';
import type { LeakForm, Pattern } from './forms.js';
import { PatternIndex } from './pattern-index.js';

/** The shortest value that is searched for anywhere. A shorter one counts only behind its name. */
const LONG_CHARACTERS = NAMED_CHARACTERS + 1;

/** Limits the characters of the values, and by what each counts at least, their number. The oldest are dropped. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;
const LEAST_CHARACTERS = Math.floor(KEPT_CHARACTERS / 20_000);
const sizeOf = (characters: number): number => Math.max(characters, LEAST_CHARACTERS);

/** A value of a token that must not appear outside of the service. */
export interface SecretValue {
  value: string;
  tokenId: string;
  tenantId: string;
  path: string;
  /** The name of the property; absent for data that is a primitive, and for items of arrays. */
  name?: string;
}

type SecretToken = Pick<TokenRecord, 'id' | 'tenant_id' | 'type' | 'data' | 'mask'>;

export interface SecretMatch {
  start: number;
  end: number;
  secret: SecretValue;
  form: LeakForm;
}

/** Finds the values of tokens in texts. What a mask shows plainly, and expirations of cards, are not secret. */
export class SecretValues {
  readonly #patterns = new PatternIndex<{ secret: SecretValue; form: LeakForm; wholeWord: boolean }>();
  readonly #named = new NamedValues<SecretValue>();
  readonly #values = new LRUCache<string, SecretValue>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: ({ value, path }) => sizeOf(value.length + path.length),
    dispose: (secret) => this.#forget(secret),
  });
  /** Values that are not secret in tokens added later. */
  readonly #allowed = new LRUCache<string, true>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_isAllowed, value) => sizeOf(value.length),
  });

  /** @param patternsOf lists the texts that reveal a value which is not found by its name */
  constructor(private readonly patternsOf: (value: string) => Pattern[]) {}

  add(token: SecretToken): void {
    for (const secret of secretsOf(token)) {
      const { name = '', value } = secret;
      const isLong = value.length >= LONG_CHARACTERS;
      const key = isLong ? value : `${name}\n${value}`;
      if (this.#values.has(key) || this.#allowed.has(value)) continue;
      this.#values.set(key, secret);
      if (!isLong) this.#named.add(name, value, secret);
      else
        for (const { text, ...pattern } of this.patternsOf(value))
          this.#patterns.add(text, { secret, ...pattern });
    }
  }

  #forget({ name = '', value }: SecretValue): void {
    if (value.length < LONG_CHARACTERS) this.#named.remove(name, value);
    else for (const { text } of this.patternsOf(value)) this.#patterns.remove(text);
  }

  /** Marks a value as not secret in tokens added later, unless a token added before holds it. */
  allow(value: string): void {
    if (!this.#values.has(value)) this.#allowed.set(value, true);
  }

  /** Whether a short value is known under any name. */
  hasNamed(value: string): boolean {
    return this.#named.has(value);
  }

  /** Lists the values in a text, in any order. */
  find(text: string): SecretMatch[] {
    return [
      ...this.#patterns
        .search(text)
        .filter(({ start, end, item }) => !item.wholeWord || isWhole(text, start, end))
        .map(({ start, end, item: { secret, form } }) => ({ start, end, secret, form })),
      ...this.#named
        .find(text)
        .map(({ start, end, item: secret }) => ({ start, end, secret, form: 'a named field' as const })),
    ];
  }
}

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Whether no letter or digit continues a part of a text. */
function isWhole(text: string, start: number, end: number): boolean {
  const continuesBefore = isWordCharacter(text[start]) && isWordCharacter(text[start - 1]);
  const continuesAfter = isWordCharacter(text[end - 1]) && isWordCharacter(text[end]);
  return !continuesBefore && !continuesAfter;
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
    } else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) {
        if (path === 'data' && fields?.[key]?.sensitive === false) continue;
        visit(item, childOf(masked, key), `${path}.${key}`, key);
      }
  };
  visit(data, mask, 'data', undefined);
  return found;
}

/** Whether a mask is the value itself: `{{ data.expiration_month }}`. */
function showsPlainly(mask: unknown, path: string): boolean {
  return typeof mask === 'string' && /^\{\{\s*([\w.]+)\s*\}\}$/.exec(mask)?.[1] === path;
}

const childOf = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined;
