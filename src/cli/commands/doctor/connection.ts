import type { Context } from '../../command.js';
import { addressFix, endpointOf, otherScheme } from './address.js';
import { type CheckResult, problem } from './check.js';
import type { Probe, ProbeError } from './probe.js';
import { connectError, speaksHttp, speaksTls } from './sockets.js';

const CHECK = 'connection';

/** What a certificate error means, by Node's code. */
const CERTIFICATE_PROBLEMS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired by the time of this machine',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet by the time of this machine',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an authority that this machine does not trust',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate comes from an authority that this machine does not trust',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate comes from an authority that this machine does not trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an authority that this machine does not trust',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** Codes of a TLS handshake with a server that does not speak TLS. */
const NO_TLS = /^(EPROTO|ERR_SSL_\w+)$/;

/** Explains why a request got no response. */
export async function explainConnectionError(
  error: ProbeError,
  probe: Probe,
  { settings }: Context,
): Promise<CheckResult> {
  const { target, timeoutMs } = probe;
  const { baseUrl } = target;
  const { host, port } = endpointOf(baseUrl);
  const fixed = (url?: string) => addressFix(target, settings, url);
  const unreachable = (detail: string, fix: string) => problem(CHECK, 'unreachable', detail, fix);
  const certificate = CERTIFICATE_PROBLEMS[error.code];
  if (certificate !== undefined) return unreachable(`${host}: ${certificate}`, certificateFix(error.code));
  if (probe.proxy !== undefined) return explainProxyError(error, probe.proxy, probe);
  const isTls = baseUrl.startsWith('https:');
  const other = otherScheme(baseUrl);
  if (isTls && NO_TLS.test(error.code) && (await speaksHttp(baseUrl, timeoutMs)))
    return unreachable(`${host}:${port} speaks http, not https`, fixed(other));
  if (!isTls && isDropped(error) && (await speaksTls(baseUrl, timeoutMs)))
    return unreachable(`${host}:${port} speaks https, not http`, fixed(other));
  switch (error.code) {
    case 'ENOTFOUND':
      return unreachable(`the name ${host} does not exist`, fixed());
    case 'EAI_AGAIN':
      return unreachable(
        `the name ${host} cannot be looked up: no DNS server answers`,
        `Check the network or VPN: nslookup ${host}`,
      );
    case 'ECONNREFUSED':
      return unreachable(`nothing listens on port ${port} of ${host}`, `${fixed()}, or start the service`);
    case 'timeout':
      return problem(
        CHECK,
        'timeout',
        `${host}:${port} did not answer within ${timeoutMs / 1000} s`,
        'Check firewall and VPN, or allow more time: tokenctl doctor --timeout 30s',
      );
    default:
      return unreachable(`${host}:${port} cannot be reached: ${error.code}`, `Check the network. ${fixed()}`);
  }
}

/** Whether the server closed the connection or sent something that is not HTTP. */
const isDropped = ({ code }: ProbeError): boolean =>
  code === 'ECONNRESET' || code === 'EPIPE' || code === 'timeout' || code.startsWith('HPE_');

function certificateFix(code: string): string {
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `Compare the time of this machine: date -u, now ${new Date().toISOString()}. If it is right, the service needs a new certificate.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'Use the host name that the certificate is for.';
  return 'If a proxy or firewall intercepts the connection, trust its authority: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem';
}

/** Explains why a request through a proxy got no response. */
async function explainProxyError(
  { code }: ProbeError,
  proxy: string,
  { target, timeoutMs }: Probe,
): Promise<CheckResult> {
  const { host: name } = new URL(proxy);
  const { host } = endpointOf(target.baseUrl);
  const bypass = `export NO_PROXY=${host}`;
  const failure = await connectError(proxy, timeoutMs);
  if (failure !== undefined)
    return problem(
      'proxy',
      'unreachable',
      `the proxy ${name} cannot be reached: ${failure}`,
      `Correct HTTP_PROXY or HTTPS_PROXY, or go without the proxy: ${bypass}`,
    );
  const status = /^HTTP (\d{3})$/.exec(code)?.[1];
  if (status === '407')
    return problem(
      'proxy',
      'unreachable',
      `the proxy ${name} asks for a user name and password`,
      'export HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT (and HTTP_PROXY)',
    );
  const reason = status === undefined ? code : `it answered ${status}`;
  return problem(
    'proxy',
    code === 'timeout' ? 'timeout' : 'unreachable',
    `the proxy ${name} does not let requests through to ${host}: ${reason}`,
    `Go without the proxy: ${bypass}`,
  );
}
