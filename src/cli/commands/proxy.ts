import type { Client } from '../../client/client.js';
import { headerNames, JSON_CONTENT_TYPE } from '../../contract/headers.js';
import { METHODS } from '../../contract/operation-row.js';
import { PROXY_PATH } from '../../contract/proxies.js';
import type { Context } from '../command.js';
import { CliError, usageError } from '../lib/errors.js';
import { resolveId } from '../lib/lookup.js';
import { shellQuote } from '../lib/text.js';
import { readText } from './shared/input.js';
import { assertDestinationSucceeded, parseHeaders } from './shared/raw-request.js';

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

/** Without --method, a request with a body is a POST. */
function methodOf({ method, data }: SendOptions) {
  if (method === undefined) return data === undefined ? 'GET' : 'POST';
  const known = METHODS.find((one) => one === method.toUpperCase());
  if (!known) throw usageError(`--method must be one of ${METHODS.join(', ')}.`);
  return known;
}

/** Returns the header that chooses the proxy, or with `--url` the destination. */
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

/** @throws {CliError} when there is no such proxy; for a URL, the hint is the flag that takes one */
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
