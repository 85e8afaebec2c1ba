import { sendOnce } from '../../../client/client.js';
import { ConnectionError, TimeoutError } from '../../../client/errors.js';
import { proxyOf, type TransportResponse } from '../../../client/transport.js';
import { headerNames } from '../../../contract/headers.js';
import type { Context } from '../../command.js';
import type { Settings } from '../../config/settings.js';
import type { Target } from '../../config/target.js';
import { openTransport } from '../../connect.js';
import { type CheckResult, problem } from './check.js';

/** Time for each request. Milliseconds. */
const TIMEOUT_MS = 5_000;

type NoResponse = ConnectionError | TimeoutError;

/** Sends single requests to the target: without retries, each within a time limit. */
export interface Probe {
  target: Target;
  settings: Settings;
  /** The URL of the proxy in between. */
  proxy: string | undefined;
  /** What the headers of the service are called. */
  headers: ReturnType<typeof headerNames>;
  /** Sends a GET request. @param key none is sent if it is left out. @throws the reason of an interruption */
  get(path: string, key?: string): Promise<TransportResponse | NoResponse>;
  /** Whether the server answers over the other scheme, if only with a certificate that is not accepted. No key is sent. */
  speaksOtherScheme(): Promise<boolean>;
  close(): Promise<void>;
}

export const isMissing = (response: TransportResponse | NoResponse): response is NoResponse =>
  response instanceof Error;

/** @throws {CliError} if keys would be sent in plain text over a network */
export async function openProbe(
  target: Target,
  { settings, signal }: Pick<Context, 'settings' | 'signal'>,
): Promise<Probe> {
  const transport = await openTransport(target.baseUrl, settings, target);
  const headerPrefix = settings.headerPrefix ?? target.headerPrefix;
  const options = { timeoutMs: settings.timeoutMs ?? TIMEOUT_MS };
  return {
    target,
    settings,
    proxy: proxyOf(target.baseUrl, settings.proxies),
    headers: headerNames(headerPrefix),
    get: (path, key) =>
      sendOnce(
        { method: 'GET', path, permission: null },
        { transport, headerPrefix, apiKey: () => key },
        options,
        signal,
      ).catch((error) => {
        if (error instanceof TimeoutError) return error;
        throw error;
      }),
    async speaksOtherScheme() {
      const { protocol, hostname, port } = new URL(target.baseUrl);
      const [scheme, usual] = protocol === 'https:' ? ['http', 443] : ['https', 80];
      const baseUrl = `${scheme}://${hostname}:${port || usual}`;
      const other = await openProbe(
        { ...target, baseUrl },
        { settings: { ...settings, insecure: true }, signal },
      );
      const response = await other.get('/').finally(() => other.close());
      return !isMissing(response) || (response instanceof ConnectionError && CERTIFICATE.test(response.code));
    },
    close: () => transport.close(),
  };
}

/** Characters that need no quotes in a shell. */
const PLAIN = /^[\w.:/[\]-]+$/;

/** Returns how to correct the base URL, where it was set. @param url the right one, if it is known */
export function addressFix({ target, settings }: Probe, url = 'URL'): string {
  const { source, name } = target;
  const { baseUrl, baseUrlSource } = settings;
  const shown = PLAIN.test(url) ? url : 'URL';
  if (baseUrl !== undefined && baseUrlSource === '--base-url')
    return `Correct the address: --base-url ${shown}`;
  if (baseUrl !== undefined) return `Correct the address: export ${baseUrlSource}=${shown}`;
  if (name !== undefined && source === `profile ${name}`)
    return `Correct the address: tokenctl profile set ${name} --base-url ${shown}`;
  return `Correct the address: set base_url to ${shown} in ${source}`;
}

/** Node's codes for a certificate that is not accepted. */
const CERTIFICATE = /CERT|VERIFY_LEAF/;

/** Codes of a server that was reached and sent nothing that could be read. */
const UNREADABLE = /^(EPROTO|ERR_SSL_\w+|ECONNRESET|EPIPE|HPE_\w+|timeout)$/;

export async function explainNoResponse(error: NoResponse, probe: Probe): Promise<CheckResult> {
  const { host, hostname } = new URL(probe.target.baseUrl);
  const code = error instanceof TimeoutError ? 'timeout' : error.code;
  const category = code === 'timeout' ? 'timeout' : 'unreachable';
  const isCertificate = CERTIFICATE.test(code);
  if (probe.proxy !== undefined && !isCertificate) {
    const [reason, fix] = explainProxyError(code, hostname);
    return problem('proxy', category, `the proxy ${new URL(probe.proxy).host} ${reason}`, fix);
  }
  if (UNREADABLE.test(code) && (await probe.speaksOtherScheme())) return explainScheme(host, probe);
  const reason = code.toLowerCase().replaceAll('_', ' ');
  const detail = isCertificate ? `${hostname}: its certificate is not accepted: ${reason}` : error.message;
  return problem('connection', category, detail, adviceFor(code, addressFix(probe)));
}

function adviceFor(code: string, fix: string): string {
  if (CERTIFICATE.test(code))
    return 'Check the host name and the time of this machine: date -u. If a proxy or firewall intercepts the connection, trust its authority: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem';
  if (code === 'timeout') return 'Check firewall and VPN, or allow more time: tokenctl doctor --timeout 30s';
  if (code === 'ECONNREFUSED') return `${fix}, or start the service`;
  return code === 'ENOTFOUND' ? fix : `Check the network or VPN. ${fix}`;
}

/** Explains that a server speaks https and not http, or the reverse. @param server names it */
export function explainScheme(server: string, probe: Probe): CheckResult {
  const { baseUrl } = probe.target;
  const [spoken, wanted] = baseUrl.startsWith('https:') ? ['http', 'https'] : ['https', 'http'];
  const fix = addressFix(probe, baseUrl.replace(wanted, spoken));
  return problem('connection', 'unreachable', `${server} speaks ${spoken}, not ${wanted}`, fix);
}

function explainProxyError(code: string, hostname: string): [reason: string, fix: string] {
  const bypass = `export NO_PROXY=${hostname}`;
  if (/^E(CONNREFUSED|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)$/.test(code))
    return [
      `cannot be reached: ${code}`,
      `Correct HTTP_PROXY or HTTPS_PROXY, or go without the proxy: ${bypass}`,
    ];
  const [, status] = /^HTTP (\d{3})$/.exec(code) ?? [];
  if (status === '407')
    return [
      'asks for a user name and password',
      'export HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT (and HTTP_PROXY)',
    ];
  const what = status === undefined ? code : `it answered ${status}`;
  return [`does not let requests through to ${hostname}: ${what}`, `Go without the proxy: ${bypass}`];
}
