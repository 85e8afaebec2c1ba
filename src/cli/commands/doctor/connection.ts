import type { Context } from '../../command.js';
import type { Settings } from '../../config/settings.js';
import type { Target } from '../../config/target.js';
import { type CheckResult, problem } from './check.js';
import { Probe, type ProbeError } from './probe.js';

/** Characters that need no quotes in a shell. */
const PLAIN = /^[\w.:/[\]-]+$/;

/** Returns how to correct the base URL, where it was set. @param url the right one, if it is known */
export function addressFix(
  { source, name }: Pick<Target, 'source' | 'name'>,
  { baseUrl, baseUrlSource }: Pick<Settings, 'baseUrl' | 'baseUrlSource'>,
  url = 'URL',
): string {
  const shown = PLAIN.test(url) ? url : 'URL';
  if (baseUrl !== undefined && baseUrlSource === '--base-url')
    return `Correct the address: --base-url ${shown}`;
  if (baseUrl !== undefined) return `Correct the address: export ${baseUrlSource}=${shown}`;
  if (name !== undefined && source === `profile ${name}`)
    return `Correct the address: tokenctl profile remove ${name} && tokenctl profile add ${name} --base-url ${shown}`;
  return `Correct the address: set base_url to ${shown} in ${source}`;
}

/** Returns host and port of a URL, the default port included. */
function endpointOf(url: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

/** Returns a URL with `http` in place of `https`, or the reverse. */
function otherScheme(url: string): string {
  return url.startsWith('https:') ? url.replace('https:', 'http:') : url.replace('http:', 'https:');
}

/** Node's codes for a certificate that is not accepted. */
const CERTIFICATE = /CERT|VERIFY_LEAF/;

/** Codes of a server that was reached and sent nothing that could be read. */
const UNREADABLE = /^(EPROTO|ERR_SSL_\w+|ECONNRESET|EPIPE|HPE_\w+|timeout)$/;

/** Explains why a request got no response. */
export async function explainConnectionError(
  { code }: ProbeError,
  probe: Probe,
  context: Context,
): Promise<CheckResult> {
  const { target, timeoutMs, proxy } = probe;
  const { host, port } = endpointOf(target.baseUrl);
  const place = `${host}:${port}`;
  if (proxy !== undefined && !CERTIFICATE.test(code)) return explainProxyError(code, proxy, host);
  if (UNREADABLE.test(code) && (await speaksOtherScheme(probe, context)))
    return explainScheme(place, probe, context);
  const fix = addressFix(target, context.settings);
  const unreachable = (detail: string, advice: string) =>
    problem('connection', code === 'timeout' ? 'timeout' : 'unreachable', detail, advice);
  if (CERTIFICATE.test(code))
    return unreachable(
      `${host}: its certificate is not accepted: ${code.toLowerCase().replaceAll('_', ' ')}`,
      'Check the host name and the time of this machine: date -u. If a proxy or firewall intercepts the connection, trust its authority: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
    );
  if (code === 'ENOTFOUND') return unreachable(`the name ${host} does not exist`, fix);
  if (code === 'ECONNREFUSED')
    return unreachable(`nothing listens on port ${port} of ${host}`, `${fix}, or start the service`);
  if (code === 'timeout')
    return unreachable(
      `${place} did not answer within ${timeoutMs / 1000} s`,
      'Check firewall and VPN, or allow more time: tokenctl doctor --timeout 30s',
    );
  return unreachable(`${place} cannot be reached: ${code}`, `Check the network or VPN. ${fix}`);
}

/** Explains that a server speaks https and not http, or the reverse. @param server names it */
export function explainScheme(server: string, { target }: Probe, { settings }: Context): CheckResult {
  const { baseUrl } = target;
  const [spoken, wanted] = baseUrl.startsWith('https:') ? ['http', 'https'] : ['https', 'http'];
  const fix = addressFix(target, settings, otherScheme(baseUrl));
  return problem('connection', 'unreachable', `${server} speaks ${spoken}, not ${wanted}`, fix);
}

/** Whether the server answers over the other scheme, if only with a certificate that is not accepted. No key is sent. */
export async function speaksOtherScheme({ target }: Probe, context: Context): Promise<boolean> {
  const { protocol, hostname } = new URL(otherScheme(target.baseUrl));
  const baseUrl = `${protocol}//${hostname}:${endpointOf(target.baseUrl).port}`;
  const settings = { ...context.settings, insecure: true };
  const other = await Probe.open({ ...target, baseUrl }, { ...context, settings });
  try {
    const { error } = await other.get('/');
    return error === undefined || CERTIFICATE.test(error.code);
  } finally {
    await other.close();
  }
}

/** Explains why a request through a proxy got no response. */
function explainProxyError(code: string, proxy: string, host: string): CheckResult {
  const { host: name } = new URL(proxy);
  const bypass = `export NO_PROXY=${host}`;
  const category = code === 'timeout' ? 'timeout' : 'unreachable';
  if (/^E(CONNREFUSED|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)$/.test(code))
    return problem(
      'proxy',
      category,
      `the proxy ${name} cannot be reached: ${code}`,
      `Correct HTTP_PROXY or HTTPS_PROXY, or go without the proxy: ${bypass}`,
    );
  const status = /^HTTP (\d{3})$/.exec(code)?.[1];
  const [reason, fix] =
    status === '407'
      ? [
          'asks for a user name and password',
          'export HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT (and HTTP_PROXY)',
        ]
      : [
          `does not let requests through to ${host}: ${status === undefined ? code : `it answered ${status}`}`,
          `Go without the proxy: ${bypass}`,
        ];
  return problem('proxy', category, `the proxy ${name} ${reason}`, fix);
}
