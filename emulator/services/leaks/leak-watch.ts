import { StringDecoder } from 'node:string_decoder';
import { LRUCache } from 'lru-cache';
import type { Leak } from '../../../src/contract/control/leaks.js';
import type { OutboundRequest } from '../../sandbox/invocation.js';
import type {
  CollectionName,
  DeliveryRecord,
  Records,
  TenantRecord,
  TokenRecord,
} from '../../store/records.js';
import { patternsOf } from './forms.js';
import { LeakSearch } from './leak-search.js';
import { type ObservedPart, ObservedTexts } from './observed-texts.js';
import { isPacked, otherTexts, textsIn } from './readable-texts.js';
import { leavesOf, type SecretValue, SecretValues } from './secret-values.js';
import { shownTexts } from './shown-fields.js';

/** Characters kept for the final search, which also finds the values of tokens created after them. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;
const REPORTED_LEAKS = 1_000;
/** Tenants whose names are known: each test has one. */
const NAMED_TENANTS = 10_000;

/** Keeps what leaves the service and searches it for token values at the end; beyond 16 Mi characters, in parts. */
export class LeakWatch {
  readonly #secrets = new SecretValues(patternsOf);
  readonly #search = new LeakSearch(this.#secrets);
  readonly #observed = new ObservedTexts();
  readonly #decoders = new Map<string, StringDecoder>();
  readonly #leaks = new Map<string, { tenantId: string; leak: Leak }>();
  readonly #tenants = new LRUCache<string, string>({ maxSize: NAMED_TENANTS, sizeCalculation: () => 1 });
  #firstTenant: string | undefined;
  #isSearching = false;
  readonly #ignored: readonly RegExp[];

  /**
   * @param dataHosts hosts that reactors may send token data to, in headers and bodies: `api.processor.example`, or `*`
   * @param ignored values, property paths and places that are no leak: `data.status`, `file out/*`
   */
  constructor(
    private readonly dataHosts: readonly string[] = [],
    ignored: readonly string[] = [],
  ) {
    this.#ignored = ignored.map(wildcardPattern);
  }

  /** Observes a content as a whole. Bytes may be text in any encoding, or compressed. */
  observe(place: string, content: string | Uint8Array): void {
    // Texts of one place do not continue each other.
    if (typeof content === 'string') this.#add(place, `${content}\n`, false);
    else
      for (const { text, member } of textsIn(Buffer.from(content)))
        this.#add(member === undefined ? place : `${place}: ${member}`, `${text}\n`, false);
  }

  /** Observes the next part of a stream of text. A value that is not in UTF-8 is found within a part. */
  observeStream(place: string, part: string | Buffer): void {
    if (typeof part === 'string') {
      this.#add(place, part, true);
      return;
    }
    const decoder = this.#decoders.get(place) ?? new StringDecoder('utf8');
    this.#decoders.set(place, decoder);
    this.#add(place, decoder.write(part), true);
    for (const text of otherTexts(part)) this.#add(`${place} `, `${text}\n`, false);
  }

  /** Observes a whole file, unless it is so large that it is observed as a stream. */
  observeFile(place: string, bytes: Buffer): void {
    if (isPacked(bytes)) this.observe(place, bytes);
    else this.observeStream(place, bytes);
  }

  /** Observes what is shown of a stored object; of a token, adds its values to those searched for. */
  addRecord<Name extends CollectionName>(collection: Name, record: Records[Name]): void {
    if (collection === 'tenants') this.#addTenant(record as TenantRecord);
    if (collection === 'tokens' || collection === 'token-intents') this.addToken(record as TokenRecord);
    else for (const { place, text } of shownTexts(collection, record)) this.observe(place, text);
  }

  /** Adds the values of a stored token to those searched for, and observes what is shown of it. */
  addToken(token: TokenRecord): void {
    this.#secrets.add(token);
    this.observe('the id of a token', token.id);
    for (const { place, text } of shownTexts('tokens', token)) this.observe(place, text);
  }

  #addTenant({ id, name }: TenantRecord): void {
    this.#firstTenant ??= id;
    this.#tenants.set(id, name);
  }

  /** Observes what a reactor returned in `raw`. What it computed is allowed; arguments and values of other tokens are not. */
  observeResult(reactor: string, args: unknown, raw: unknown): void {
    const given = new Set(leavesOf(args));
    for (const value of leavesOf(raw)) if (!given.has(value)) this.#secrets.allow(value);
    if (raw !== undefined) this.observe(`result of reactor ${reactor}`, JSON.stringify(raw));
  }

  /** Observes a request to the service. Its path, query and headers are written to logs; its body is meant to hold data. */
  observeIncoming(operation: string, url: string, headers: object): void {
    this.observe(`URL of a request to ${operation}`, url);
    this.observe(`headers of a request to ${operation}`, JSON.stringify(headers));
  }

  /** Observes a request of a reactor or transform. A URL must never hold token data: servers log it. */
  observeRequest(reactor: string, request: OutboundRequest): void {
    const { method, url, requestHeaders, requestBody, requestBytes } = request;
    const target = URL.canParse(url) ? new URL(url) : undefined;
    const place = `request of reactor ${reactor}: ${method} ${target?.origin ?? ''}`;
    this.observe(`${place}, URL`, url);
    if (target && this.#mayHoldData(target)) return;
    this.observe(`${place}, headers`, JSON.stringify(requestHeaders));
    const body = requestBytes ?? requestBody;
    if (body !== undefined) this.observe(`${place}, body`, body);
  }

  /** Observes a callback or webhook. The result of a reactor may hold token data if its receiver may. */
  observeDelivery({ url, event }: Pick<DeliveryRecord, 'url' | 'event'>, body: string): void {
    const target = new URL(url);
    const place = `${event === undefined ? 'callback' : 'webhook'} to ${target.origin}`;
    this.observe(`${place}, URL`, url);
    if (event === undefined && this.#mayHoldData(target)) return;
    this.observe(place, body);
  }

  /** Searches everything that was observed and returns all leaks, or those of the tokens of a tenant. */
  report(tenantId?: string): Leak[] {
    this.#searchUntil(0);
    const own = [...this.#leaks.values()].filter(
      (one) => tenantId === undefined || one.tenantId === tenantId,
    );
    return own.map(({ leak }) => leak);
  }

  #mayHoldData({ host, hostname }: URL): boolean {
    return ['*', host, hostname].some((name) => this.dataHosts.includes(name));
  }

  #add(place: string, text: string, isStream: boolean): void {
    this.#observed.add(place, text, isStream);
    this.#searchUntil(2 * KEPT_CHARACTERS);
    this.#searchLater();
  }

  /** Searches what is too much to be kept part by part, between which the emulator goes on answering. */
  #searchLater(): void {
    if (this.#isSearching || this.#observed.characters <= KEPT_CHARACTERS) return;
    this.#isSearching = true;
    setImmediate(() => {
      this.#isSearching = false;
      this.#searchPart();
      this.#searchLater();
    });
  }

  #searchUntil(characters: number): void {
    while (this.#observed.characters > characters) this.#searchPart();
  }

  #searchPart(): void {
    const part = this.#observed.take();
    if (part) this.#note(part);
  }

  #note({ place: key, text, lines }: ObservedPart): void {
    // Other encodings of a stream are observed apart.
    const place = key.trimEnd();
    for (const { secret, form, line, excerpt } of this.#search.search(text)) {
      const leak = `${place}\n${form}\n${secret.name}\n${secret.value}`;
      const names = [place, secret.path, secret.value];
      if (this.#ignored.some((pattern) => names.some((one) => pattern.test(one)))) continue;
      if (this.#leaks.has(leak) || this.#leaks.size >= REPORTED_LEAKS) continue;
      const found: Leak = {
        place: this.#maskPlace(place),
        ...(lines !== undefined && { line: lines + line + 1 }),
        token_id: this.#search.mask(secret.tokenId),
        ...this.#tenantOf(secret),
        path: secret.path,
        form,
        excerpt,
      };
      this.#leaks.set(leak, { tenantId: secret.tenantId, leak: found });
    }
  }

  #tenantOf({ tenantId }: SecretValue): { tenant?: string } {
    const name = this.#tenants.get(tenantId);
    return name === undefined || tenantId === this.#firstTenant ? {} : { tenant: this.#search.mask(name) };
  }

  /** Masks the words of a place that hold values, or everything but its kind. */
  #maskPlace(place: string): string {
    const masked = place
      .split(' ')
      .map((word) => this.#search.mask(word))
      .join(' ');
    return this.#search.mask(masked) === masked ? masked : `${place.split(' ').slice(0, 2).join(' ')} …`;
  }
}

/** Converts a text in which `*` stands for any text. */
const wildcardPattern = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's');
