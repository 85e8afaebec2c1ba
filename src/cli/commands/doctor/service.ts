import { sendOnce } from '../../../client/client.js';
import { ConnectionError, TimeoutError } from '../../../client/errors.js';
import { toServiceError } from '../../../client/response.js';
import { proxyOf, type TransportResponse } from '../../../client/transport.js';
import { headerNames, PROBLEM_CONTENT_TYPE } from '../../../contract/headers.js';
import type { Permission } from '../../../contract/permissions.js';
import type { Context } from '../../command.js';
import { readRunningState } from '../../config/state-file.js';
import { isLocalTarget, resolveTarget, type Target } from '../../config/target.js';
import { toFailure } from '../../lib/to-failure.js';
import { setVariable } from '../../lib/variables.js';
import { type CheckResult, failedCheck, passed, problem, type Results } from './check.js';
import { checkKeys } from './keys.js';

const CHECK = 'service';

const TIMEOUT_MS = 5_000;

/** Checks the way to the service, that it is one, the keys and their permissions. A problem hides those that follow from it. */
export async function* checkService(wanted: readonly Permission[] | undefined, context: Context): Results {
  const { settings } = context;
  if (isLocalTarget(settings)) return yield await checkLocal(context);
  const target = await resolveTarget(settings);
  yield passed('target', `${target.baseUrl} (${target.source})`);
  const proxy = proxyOf(target.baseUrl, settings.proxies);
  if (proxy !== undefined) yield passed('proxy', new URL(proxy).host);
  const found = await checkResponse(target, context);
  yield found;
  if (found.status === 'problem') return;
  yield* checkKeys(target, wanted, context, async (key) => {
    const response = await listTokens(key, context);
    const isNowhere = !(response instanceof Error) && response.status === 404;
    return isNowhere ? explainForeign(response, target) : undefined;
  });
}

/** `--local` opens the data directory, which no other process may have open. */
async function checkLocal({ settings }: Context): Promise<CheckResult> {
  const running = await readRunningState(settings);
  if (!running) return passed(CHECK, 'the emulator in this process (--local)');
  const found = `--local cannot open ${running.data_dir}: process ${running.pid} has it open`;
  return problem(CHECK, 'failed', found, 'Leave --local out, or: tokenctl emulator stop');
}

/** Asks for a token, with a key or none. @returns the error if there is no response */
async function listTokens(
  key: string | undefined,
  { client, settings, signal }: Context,
): Promise<TransportResponse | ConnectionError | TimeoutError> {
  const connection = { ...(await client.connection()), apiKey: () => key };
  const request = { method: 'GET', path: '/tokens?size=1', permission: null, background: true } as const;
  const timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;
  return sendOnce(request, connection, { timeoutMs }, signal).catch((error) => {
    if (error instanceof TimeoutError) return error;
    throw error;
  });
}

/** Sends one request without a key, which nobody but the service may get; the service answers it with 401. */
async function checkResponse(target: Target, context: Context): Promise<CheckResult> {
  const response = await listTokens(undefined, context);
  if (response instanceof Error) return explainNoResponse(response, target);
  const { traceId } = headerNames((await context.client.connection()).headerPrefix);
  if (response.status === 429 || response.status >= 500)
    return failedCheck(CHECK, toServiceError(response, traceId, Date.now()));
  if (!isProblem(response) || response.status === 404) return explainForeign(response, target);
  return explainHeaders(response, traceId) ?? passed(CHECK, 'answers');
}

const CERTIFICATE = /CERT|VERIFY_LEAF/;

function explainNoResponse(error: ConnectionError | TimeoutError, target: Target): CheckResult {
  const { category, detail } = toFailure(error);
  const isCertificate = error instanceof ConnectionError && CERTIFICATE.test(error.code);
  if (isCertificate)
    return problem(
      'connection',
      category,
      detail,
      `Check the host name, and the time of this machine. To trust an authority: ${setVariable('NODE_EXTRA_CA_CERTS', '/path/to/ca.pem')}`,
    );
  if (error.proxy === undefined) return problem('connection', category, detail, addressFix(target));
  const fix = `Check HTTP_PROXY and HTTPS_PROXY, or go without: ${setVariable('NO_PROXY', new URL(target.baseUrl).hostname)}`;
  return problem('proxy', category, detail, fix);
}

const addressFix = ({ source }: Target): string => `Check the network, and the address, set by ${source}`;

/** Whether a response has the common error body (decisions.md), by which the service is known. */
const isProblem = ({ headers }: TransportResponse): boolean =>
  (headers['content-type'] ?? '').startsWith(PROBLEM_CONTENT_TYPE);

function explainForeign({ status, headers }: TransportResponse, target: Target): CheckResult {
  const { location } = headers;
  const what = location === undefined ? '' : ` and redirects to ${location}`;
  const detail = `${target.baseUrl} answers ${status}${what}, which is not how a tokenization service answers`;
  return problem(CHECK, status === 404 ? 'not_found' : 'failed', detail, addressFix(target));
}

/** Finds the prefix of the trace header, which every response has. */
function explainHeaders({ headers }: TransportResponse, traceId: string): CheckResult | undefined {
  if (headers[traceId.toLowerCase()] !== undefined) return undefined;
  const found = Object.keys(headers).find((name) => name.endsWith('-trace-id'));
  if (found === undefined) return undefined;
  const prefix = found.replace(/-trace-id$/, '').toUpperCase();
  const detail = `the headers of the service start with ${prefix}`;
  return problem(CHECK, 'unauthorized', detail, setVariable('TOKENCTL_HEADER_PREFIX', prefix));
}
