import type { Client } from '../../client/client.js';
import type { ClientResponse } from '../../client/response.js';
import { headerNames, JSON_CONTENT_TYPE } from '../../contract/headers.js';
import { METHODS, type Method } from '../../contract/operation-row.js';
import { PROXY_PATH } from '../../contract/proxies.js';
import type { Context } from '../command.js';
import { CliError, usageError } from '../lib/errors.js';
import { resolveId } from '../lib/lookup.js';
import { shellQuote } from '../lib/text.js';
import { readText } from './shared/input.js';

interface SendOptions {
  proxy: string | undefined;
  path: string | undefined;
  url?: string | undefined;
  method?: string | undefined;
  header?: string[] | undefined;
  data?: string | undefined;
}

export async function run(options: SendOptions, context: Context) {
  const { client, output } = context;
  const method = methodOf(options);
  const destination = await destinationHeader(options, context);
  const body = options.data === undefined ? undefined : await readText(options.data, '--data', context);
  const response = await client.request({
    method,
    path: PROXY_PATH + (options.path ?? '').replace(/^(?=[^/?])/, '/'),
    permission: 'token:use',
    body,
    headers: {
      accept: '*/*',
      ...(body !== undefined && { 'content-type': JSON_CONTENT_TYPE }),
      ...(await parseHeaders(options.header ?? [], context)),
      ...destination,
    },
  });
  if (typeof response.body === 'string' && output.settings.mode === 'table') output.text(response.body);
  else await output.result(response.body, { redaction: 'anything' });
  assertDestinationSucceeded(response);
}

function methodOf({ method, data }: SendOptions) {
  if (method === undefined) return data === undefined ? 'GET' : 'POST';
  return parseMethod(method, '--method');
}

export function parseMethod(text: string, what: string): Method {
  const known = METHODS.find((one) => one === text.toUpperCase());
  if (!known) throw usageError(`${what} must be one of ${METHODS.join(', ')}.`);
  return known;
}

async function destinationHeader(
  { proxy, url }: SendOptions,
  { client }: Context,
): Promise<Record<string, string>> {
  if ((proxy === undefined) === (url === undefined))
    throw usageError('Give the ID or name of a proxy, or --url, but not both.', 'tokenctl proxy list');
  const { proxyKey, proxyUrl } = headerNames((await client.connection()).headerPrefix);
  if (url !== undefined) return { [proxyUrl]: url };
  const id = await findProxyId(client, proxy ?? '');
  return { [proxyKey]: (await client.call('proxies.get', { path: { id } })).key };
}

async function findProxyId(client: Client, proxy: string): Promise<string> {
  try {
    return await resolveId(client, 'proxy', proxy);
  } catch (error) {
    if (!(error instanceof CliError) || error.failure.category !== 'not_found' || !/^https?:/i.test(proxy))
      throw error;
    throw new CliError('not_found', error.failure.detail, {
      hint: `To send to a URL without a proxy: tokenctl proxy send --url ${shellQuote(proxy)}`,
    });
  }
}

/** Parses `Name: value` pairs; the names become lower case. @throws {CliError} for the API key header, because arguments are visible to other processes */
export async function parseHeaders(
  headers: readonly string[],
  { client }: Context,
): Promise<Record<string, string>> {
  const parsed: Record<string, string> = {};
  if (headers.length === 0) return parsed;
  const { apiKey } = headerNames((await client.connection()).headerPrefix);
  for (const header of headers) {
    const colon = header.indexOf(':');
    if (colon < 1) throw usageError('--header must have the form "Name: value".');
    const name = header.slice(0, colon).trim().toLowerCase();
    if (name === apiKey.toLowerCase())
      throw usageError(
        `--header must not set ${apiKey}, because other processes can read the arguments of a command.`,
        'Use --key-file FILE or TOKENCTL_API_KEY.',
      );
    parsed[name] = header.slice(colon + 1).trim();
  }
  return parsed;
}

/** @throws {CliError} if the destination of a proxy responded with an error, which no other response of the client is */
export function assertDestinationSucceeded({ status }: ClientResponse): void {
  if (status >= 400)
    throw new CliError('failed', `The destination of the proxy responded ${status}.`, { status });
}
