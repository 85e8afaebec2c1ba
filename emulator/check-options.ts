import { ALLOWED_CARD, ALLOWED_CARD_RULE } from '../src/contract/card-numbers.js';
import { ORIGIN, ORIGIN_RULE } from '../src/contract/control/origin-rule.js';
import { StartError } from './lib/start-error.js';
import type { EmulatorOptions } from './options.js';

/** The latest time that a date can have, in milliseconds since 1970. */
const LATEST_TIME = 8.64e15;

const isIntegerUpTo = (maximum: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maximum;

const isPositive = (value: unknown) => Number.isFinite(value) && Number(value) > 0;

const isHttpUrl = (value: unknown) =>
  typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value);

const isOneOf =
  (...names: readonly string[]) =>
  (value: unknown) =>
    names.includes(String(value));

/** What each option accepts. Those that a part of the emulator checks itself are missing. */
const RULES: Partial<Record<keyof EmulatorOptions, [isValid: (value: unknown) => boolean, rule: string]>> = {
  port: [isIntegerUpTo(65_535), 'must be an integer from 0 to 65535'],
  // With an empty host, Node.js would listen on every address.
  host: [(host) => typeof host === 'string' && host !== '', 'must be a host name or an IP address'],
  publicUrl: [isHttpUrl, 'must be an http or https URL, such as https://vault.example'],
  statementTimeoutMs: [isPositive, 'must be a number greater than 0'],
  durability: [isOneOf('sync', 'os'), 'must be "sync" or "os"'],
  headerPrefix: [
    (prefix) => /^[\w-]+$/.test(String(prefix)),
    'must consist of letters, digits, - and _, such as SVC',
  ],
  rateLimitScale: [isPositive, 'must be a number greater than 0'],
  clock: [
    (time) => Number.isFinite(time) && Math.abs(Number(time)) <= LATEST_TIME,
    'must be a time in milliseconds since 1970',
  ],
  network: [
    (network) =>
      Object.values((network as NonNullable<EmulatorOptions['network']>).redirects ?? {}).every(isHttpUrl),
    'must redirect hosts to http or https URLs, such as http://127.0.0.1:4010',
  ],
  includedMonthlyTokens: [isIntegerUpTo(Number.MAX_SAFE_INTEGER), 'must be an integer that is not negative'],
  reactorRuntime: [isOneOf('quickjs', 'node'), 'must be "quickjs" or "node"'],
  allowOrigins: [
    (origins) => Array.isArray(origins) && origins.every((origin) => ORIGIN.test(origin)),
    `must be an array; each item ${ORIGIN_RULE}`,
  ],
  allowCards: [
    (cards) => Array.isArray(cards) && cards.every((card) => ALLOWED_CARD.test(card)),
    `must be an array; each item ${ALLOWED_CARD_RULE}`,
  ],
  otlpEndpoint: [isHttpUrl, 'must be an http or https URL, such as http://127.0.0.1:4318'],
};

/** Checks the values of options before anything is opened. @throws {StartError} `invalid_option`; it never repeats the value */
export function checkOptions(options: EmulatorOptions): void {
  for (const [name, [isValid, rule]] of Object.entries(RULES)) {
    const value = options[name as keyof EmulatorOptions];
    if (value !== undefined && !isValid(value))
      throw new StartError('invalid_option', `The option ${name} ${rule}.`);
  }
}
