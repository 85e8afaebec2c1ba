/** The operations of `req.svc` (decisions.md, "Reactors"). */
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

export interface SvcError {
  message: string;
  status?: number;
  errors?: unknown;
}

export type SvcCallResult = { ok: true; value: unknown } | { ok: false; value: SvcError };

/** The client of the service that a reactor's application gets; `send` takes each call to the host. */
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

function toError({ message, status, errors }: SvcError): Error {
  const error = new Error(message);
  if (status !== undefined) Object.assign(error, { status });
  if (errors !== undefined) Object.assign(error, { errors });
  return error;
}
