import { resolve } from 'node:path';
import { ALLOWED_CARD, ALLOWED_CARD_RULE } from '../../../contract/card-numbers.js';
import { ORIGIN, ORIGIN_RULE } from '../../../contract/control/origin-rule.js';
import type { Context } from '../../command.js';
import type { EmulatorOptions } from '../../emulator/launch.js';
import { readEnvFile } from '../../lib/env-file.js';
import { usageError } from '../../lib/errors.js';
import { type DataFlags, dataOptions } from './data-options.js';
import { type ListenFlags, listenOptions } from './listen-options.js';
import { type ReactorFlags, reactorOptions } from './reactor-options.js';

/** The flags of `start` and `exec` that configure the emulator. */
export interface BehaviourOptions
  extends ReactorFlags,
    Omit<DataFlags, 'store'>,
    Pick<ListenFlags, 'tlsCert' | 'tlsKey'> {
  seed?: string | undefined;
  rateLimit?: boolean | undefined;
  rateLimitScale?: string | undefined;
  clock?: string | undefined;
  allowOrigin?: string[] | undefined;
  includedMonthlyTokens?: number | undefined;
  lenient?: boolean | undefined;
  refuseRealCards?: boolean | undefined;
  allowCard?: readonly string[] | undefined;
  envFile?: string | undefined;
}

export type StartOptions = BehaviourOptions & DataFlags & ListenFlags;

/** Adds the variables of `--env-file` to the environment, whose own variables take precedence. */
async function environment(
  envFile: string | undefined,
  context: Context,
): Promise<Readonly<Record<string, string | undefined>>> {
  if (envFile === undefined) return context.settings.env;
  const { cwd, env } = context.settings;
  return { ...(await readEnvFile(resolve(cwd, envFile), '--env-file', env)), ...env };
}

const ISO_8601 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Parses `--clock`. A time without an offset is UTC, not local time. */
function startTime(clock: string | undefined): number | undefined {
  if (clock === undefined) return undefined;
  const [text, time, offset] = ISO_8601.exec(clock) ?? [];
  const instant = Date.parse(time !== undefined && offset === undefined ? `${text}Z` : `${text}`);
  if (Number.isNaN(instant)) throw usageError('--clock must be an ISO 8601 date or date-time.');
  return instant;
}

function scale(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!(number > 0 && Number.isFinite(number)))
    throw usageError('--rate-limit-scale must be a number greater than 0.');
  return number;
}

/** @throws {CliError} */
function cards(given: readonly string[] | undefined): EmulatorOptions['allowCards'] {
  if (given?.every((card) => ALLOWED_CARD.test(card)) === false)
    throw usageError(`--allow-card ${ALLOWED_CARD_RULE}.`);
  return given;
}

function origins(given: readonly string[] | undefined): EmulatorOptions['allowOrigins'] {
  const wrong = given?.find((origin) => !ORIGIN.test(origin));
  if (wrong === undefined) return given;
  throw usageError(`--allow-origin ${ORIGIN_RULE}, not ${wrong}.`);
}

/** Returns the seeded keys of a new data directory that the environment sets. */
function fixedKeys(env: Readonly<Record<string, string | undefined>>): EmulatorOptions['keys'] {
  const keys = {
    management: env.TOKENCTL_EMULATOR_MANAGEMENT_KEY,
    private: env.TOKENCTL_EMULATOR_PRIVATE_KEY,
    public: env.TOKENCTL_EMULATOR_PUBLIC_KEY,
  };
  return Object.fromEntries(Object.entries(keys).filter(([, key]) => key)) as EmulatorOptions['keys'];
}

/** Returns the receiver of spans that the environment names, if any. */
function otlpEndpoint({ settings }: Context): string | undefined {
  const endpoint = settings.env.OTEL_EXPORTER_OTLP_ENDPOINT || undefined;
  if (endpoint === undefined || (/^https?:/.test(endpoint) && URL.canParse(endpoint))) return endpoint;
  throw usageError(
    'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL, such as http://127.0.0.1:4318.',
  );
}

/** Omits undefined options, so that the emulator's defaults apply. */
function omitUndefined<Options extends object>(
  options: { [Name in keyof Options]: Options[Name] | undefined },
): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}

/**
 * Reads the emulator's options from flags and environment.
 * @param store the URL of its database
 * @throws {CliError} when a value is not valid
 */
export async function emulatorOptions(
  options: StartOptions,
  context: Context,
  store?: string,
): Promise<EmulatorOptions> {
  return omitUndefined<EmulatorOptions>({
    ...(await listenOptions(options, context)),
    ...(await dataOptions(options, context, store)),
    ...(await reactorOptions(options, context)),
    purpose: 'tokenctl emulator',
    headerPrefix: context.settings.headerPrefix,
    rateLimit: options.rateLimit,
    rateLimitScale: scale(options.rateLimitScale),
    clock: startTime(options.clock),
    includedMonthlyTokens: options.includedMonthlyTokens,
    keys: fixedKeys(await environment(options.envFile, context)),
    lenient: options.lenient,
    refuseRealCards: options.refuseRealCards,
    allowCards: cards(options.allowCard),
    allowOrigins: origins(options.allowOrigin),
    otlpEndpoint: otlpEndpoint(context),
  });
}
