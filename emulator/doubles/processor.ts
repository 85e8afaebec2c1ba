import { isObject } from '../../src/contract/json.js';
import { findNumber, REFUSALS } from './cards.js';
import { type OutboundRequest, type OutboundResponse, type Stub, startStub } from './stub.js';

/** A charge or a refund that the double made. */
export interface Transaction {
  id: string;
  object: 'charge' | 'payment_intent' | 'refund';
  status: 'succeeded';
  amount: number | undefined;
  currency: string | undefined;
  /** Of the card. Absent for a refund of a charge by its id. */
  last4?: string;
  /** The id of the charge that a refund is of. */
  charge?: string;
}

/** The double of a card processor: what it made, and how it answers a request. */
export interface Processor {
  readonly charges: readonly Transaction[];
  readonly refunds: readonly Transaction[];
  /** Answers a request, so that it can be the response of a double: `respond({ host }, processor.respond)`. */
  respond(request: OutboundRequest): OutboundResponse;
}

const KINDS = {
  charges: { object: 'charge', prefix: 'ch' },
  payment_intents: { object: 'payment_intent', prefix: 'pi' },
  refunds: { object: 'refund', prefix: 're' },
} as const;
type Kind = keyof typeof KINDS;

/** Creates the double of a card processor, with JSON or forms. An idempotency key gets the first answer again. */
export function createProcessor(): Processor {
  const made: Record<Kind, Transaction[]> = { charges: [], payment_intents: [], refunds: [] };
  const answered = new Map<string, OutboundResponse>();

  function create(kind: Kind, { body, text }: OutboundRequest): OutboundResponse {
    const fields = isObject(body) ? body : {};
    const number = findNumber(body, text);
    const charge = [fields.charge, fields.payment_intent].find((id) => typeof id === 'string');
    if (number === undefined && !(kind === 'refunds' && charge !== undefined))
      return invalid(400, 'The request has no card number.');
    const refused = REFUSALS.get(number ?? '');
    if (refused) return refused;
    const { object, prefix } = KINDS[kind];
    const transaction: Transaction = {
      ...{ id: `${prefix}_${made[kind].length + 1}`, object, status: 'succeeded' },
      amount: fields.amount === undefined ? undefined : Number(fields.amount),
      currency: fields.currency === undefined ? undefined : String(fields.currency),
      ...(number !== undefined && { last4: number.slice(-4) }),
      ...(charge !== undefined && { charge: String(charge) }),
    };
    made[kind].push(transaction);
    return { body: transaction };
  }

  function respond(request: OutboundRequest): OutboundResponse {
    const [, kind, id] = /\/(charges|payment_intents|refunds)(?:\/([^/]+))?\/?$/.exec(request.path) ?? [];
    if (!isKind(kind)) return invalid(404, `There is no ${request.path}.`);
    if (request.method === 'GET') {
      const found = made[kind].find((one) => one.id === id);
      return found ? { body: found } : invalid(404, `There is no ${id} in ${kind}.`);
    }
    if (request.method !== 'POST' || id !== undefined) return invalid(405, 'The double does not do this.');
    const key = request.headers['idempotency-key'];
    const answer = (key !== undefined && answered.get(`${kind} ${key}`)) || create(kind, request);
    if (key !== undefined) answered.set(`${kind} ${key}`, answer);
    return answer;
  }

  return {
    get charges() {
      return [...made.charges, ...made.payment_intents];
    },
    get refunds() {
      return made.refunds;
    },
    respond,
  };
}

const isKind = (kind: string | undefined): kind is Kind => kind !== undefined && Object.hasOwn(KINDS, kind);

const invalid = (status: number, message: string): OutboundResponse => ({
  status,
  body: { error: { type: 'invalid_request_error', message } },
});

/** Starts the double of a card processor as a server on the loopback address. @param port 0, the default, for any */
export async function startProcessor(port = 0): Promise<Processor & Stub> {
  const processor = createProcessor();
  const { url, close } = await startStub(async (request) => processor.respond(request), { port });
  return Object.assign(processor, { url, close });
}
