import { startCall } from './async.js';
import type { Host } from './host.js';

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

interface Failure {
  message: string;
  status?: number;
  errors?: unknown;
}

/** The client of the service that a reactor's application gets; each call goes to the host. */
export function createSvc(host: Host): object {
  const svc: Record<string, unknown> = {};
  for (const path of METHODS) {
    const [first = '', second] = path.split('.');
    const call = async (...params: unknown[]): Promise<unknown> => {
      const { ok, value } = await startCall(host, 'svc', { method: path, params }).answer;
      if (!ok) throw asError(value as Failure);
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

function asError({ message, status, errors }: Failure): Error {
  const error = new Error(message);
  if (status !== undefined) Object.assign(error, { status });
  if (errors !== undefined) Object.assign(error, { errors });
  return error;
}
