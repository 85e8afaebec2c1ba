import type { SvcFailure } from '../protocol.js';

/** Methods of `req.svc` (decisions.md, "Reactors"). */
const METHODS = [
  'tokens.create',
  'tokens.get',
  'tokens.list',
  'tokens.update',
  'tokens.delete',
  'tokens.search',
  'tokenize',
  'detokenize',
  'reactors.react',
] as const;

export type SvcCallResult = { ok: true; value: unknown } | { ok: false; value: SvcFailure };

/** Creates `req.svc`. @param send passes a call to the host */
export function createSvcClient(send: (method: string, params: unknown[]) => Promise<SvcCallResult>): object {
  const svc: Record<string, unknown> = {};
  for (const path of METHODS) {
    const [first = '', second] = path.split('.');
    const call = async (...params: unknown[]): Promise<unknown> => {
      const { ok, value } = await send(path, params);
      if (!ok) throw toError(value);
      return value;
    };
    if (second === undefined) svc[first] = call;
    else {
      svc[first] ??= {};
      (svc[first] as Record<string, unknown>)[second] = call;
    }
  }
  return svc;
}

/**
 * Returns the properties of a request that hold the client.
 * @param svc a client of `createSvcClient`
 * @param otherName of a client that calls `get` of a token `retrieve` as well, as SDKs of the API family do
 */
export function clientProperties(svc: object | null, otherName?: string): Record<string, object | null> {
  if (otherName === undefined) return { svc };
  const { tokens } = (svc ?? {}) as { tokens?: { get?: unknown } };
  return { svc, [otherName]: svc && { ...svc, tokens: { ...tokens, retrieve: tokens?.get } } };
}

function toError({ message, status, errors }: SvcFailure): Error {
  const error = new Error(message);
  if (status !== undefined) Object.assign(error, { status });
  if (errors !== undefined) Object.assign(error, { errors });
  return error;
}
