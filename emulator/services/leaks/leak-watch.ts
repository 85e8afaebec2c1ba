import type { ConsoleEntry, OutboundRequest } from '../../sandbox/invocation.js';
import type { DeliveryRecord, TokenRecord } from '../../store/records.js';
import type { LeakForm } from './forms.js';
import { LeakSearch } from './leak-search.js';
import { leavesOf, SecretValues } from './secret-values.js';

/** Token data that appeared outside of the service. It holds no data itself. */
export interface Leak {
  /** `stdout`, `metadata of token abc`, `file logs/app.log`. */
  place: string;
  /** From 1; only of output and files. */
  line?: number;
  token_id: string;
  /** Property path of the value: `data.number`. */
  path: string;
  form: LeakForm;
  /** The text around it, masked. */
  excerpt: string;
}

/** Characters kept for the final search, which also finds the values of tokens created after them. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;
/** Characters of each place kept after a search, for values that continue in the next part. Longer than any pattern. */
const OVERLAP_CHARACTERS = 8_192;
const REPORTED_LEAKS = 1_000;

interface Observed {
  text: string[];
  isStream: boolean;
  /** Line feeds before the text. */
  lines: number;
}

/**
 * Searches texts that leave the service for the values of tokens. It keeps the texts and searches them at the end, because a
 * value may be printed before it becomes a token. Beyond 16 Mi characters, it searches for the values known by then.
 */
export class LeakWatch {
  readonly #secrets = new SecretValues();
  #observed = new Map<string, Observed>();
  #characters = 0;
  readonly #leaks = new Map<string, Leak>();

  readonly #ignored: readonly RegExp[];

  /**
   * @param dataHosts hosts that reactors may send token data to, in headers and bodies: `api.processor.example`
   * @param ignored values, property paths and places that are no leak: `data.status`, `file out/*`
   */
  constructor(
    private readonly dataHosts: readonly string[] = [],
    ignored: readonly string[] = [],
  ) {
    this.#ignored = ignored.map(wildcardPattern);
  }

  /** Adds the values of a stored token to those searched for, and observes its id and metadata. */
  addToken(token: TokenRecord): void {
    this.#secrets.add(token);
    this.observe('the id of a token', token.id);
    if (token.metadata)
      for (const [key, value] of Object.entries(token.metadata))
        this.observe(`metadata of token ${token.id}`, `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  }

  /** Observes a text as a whole. */
  observe(place: string, text: string): void {
    // Texts of one place do not continue each other.
    this.#add(place, `${text}\n`, false);
  }

  /** Observes the next part of a stream of text. */
  observeStream(place: string, text: string): void {
    this.#add(place, text, true);
  }

  /**
   * Allows values that a reactor computed and returned in `raw`, such as a reference or a status, even if it stores them in a
   * token. Its arguments, and values that a token already holds, stay secret.
   */
  allowResult(args: unknown, raw: unknown): void {
    const given = new Set(leavesOf(args));
    for (const value of leavesOf(raw)) if (!given.has(value)) this.#secrets.allow(value);
  }

  /** Observes a line that a reactor wrote to its console. */
  observeConsole({ reactorId, message }: Pick<ConsoleEntry, 'reactorId' | 'message'>): void {
    this.observe(`console of reactor ${reactorId}`, message);
  }

  /** Observes a request of a reactor or transform. A URL must never hold token data: servers log it. */
  observeRequest(request: OutboundRequest): void {
    const { method, url, requestHeaders, requestBody, reactorId } = request;
    const target = URL.canParse(url) ? new URL(url) : undefined;
    const place = `request of reactor ${reactorId}: ${method} ${target?.origin ?? ''}`;
    this.observe(`${place}, URL`, url);
    if (target && this.#mayHoldData(target)) return;
    this.observe(`${place}, headers`, JSON.stringify(requestHeaders));
    if (requestBody !== undefined) this.observe(`${place}, body`, requestBody);
  }

  /** Observes the body of a callback or webhook. The result of a reactor may hold token data if its receiver may. */
  observeDelivery({ url, event }: Pick<DeliveryRecord, 'url' | 'event'>, body: string): void {
    const target = new URL(url);
    if (event === undefined && this.#mayHoldData(target)) return;
    this.observe(`${event === undefined ? 'callback' : 'webhook'} to ${target.origin}`, body);
  }

  /** Searches everything that was observed and returns all leaks. */
  report(): Leak[] {
    this.#search(false);
    return [...this.#leaks.values()];
  }

  #mayHoldData({ host, hostname }: URL): boolean {
    return this.dataHosts.includes(host) || this.dataHosts.includes(hostname);
  }

  #isIgnored(text: string): boolean {
    return this.#ignored.some((pattern) => pattern.test(text));
  }

  #add(place: string, text: string, isStream: boolean): void {
    const observed = this.#observed.get(place) ?? { text: [], isStream, lines: 0 };
    observed.text.push(text);
    this.#observed.set(place, observed);
    this.#characters += text.length + place.length;
    if (this.#characters > KEPT_CHARACTERS) this.#search(true);
  }

  #search(continues: boolean): void {
    const search = new LeakSearch(this.#secrets.all());
    const kept = new Map<string, Observed>();
    this.#characters = 0;
    for (const [place, { text, isStream, lines }] of this.#observed) {
      const whole = text.join('');
      this.#note(place, whole, { isStream, lines }, search);
      if (!continues || !isStream) continue;
      const rest = whole.slice(-OVERLAP_CHARACTERS);
      const passed = countLines(whole.slice(0, whole.length - rest.length));
      kept.set(place, { text: [rest], isStream, lines: lines + passed });
      this.#characters += rest.length;
    }
    if (continues) this.#observed = kept;
  }

  #note(place: string, text: string, { isStream, lines }: Omit<Observed, 'text'>, search: LeakSearch): void {
    for (const { secret, form, line, excerpt } of search.search(text)) {
      const key = `${place}\n${form}\n${secret.name}\n${secret.value}`;
      if ([place, secret.path, secret.value].some((text) => this.#isIgnored(text))) continue;
      if (this.#leaks.has(key) || this.#leaks.size >= REPORTED_LEAKS) continue;
      this.#leaks.set(key, {
        place: search.mask(place) === place ? place : 'metadata of a token',
        ...(isStream && { line: lines + line + 1 }),
        token_id: search.mask(secret.tokenId),
        path: secret.path,
        form,
        excerpt,
      });
    }
  }
}

/** Converts a text in which `*` stands for any text. */
const wildcardPattern = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's');

const countLines = (text: string): number => text.split('\n').length - 1;
