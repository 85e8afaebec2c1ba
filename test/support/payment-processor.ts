import { text } from 'node:stream/consumers';
import { useHttpServer } from './http-server.js';

/** A request that the stub received. */
interface ProcessorRequest {
  method: string;
  path: string;
  body: Record<string, string>;
  idempotencyKey?: string;
}

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

const API_KEY = 'sk_test_local';

const failure = (status: number, error: Record<string, string>, headers = {}): Answer => ({
  status,
  body: { error },
  headers,
});
const declined = (error: Record<string, string>) => failure(402, { type: 'card_error', ...error });

/** The vendor's published test card numbers and the errors of charging them. */
const DECLINES: Record<string, Answer> = {
  '4000000000000002': declined({
    ...{ code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  }),
  '4000000000009995': declined({
    ...{ code: 'card_declined', decline_code: 'insufficient_funds' },
    message: 'Your card has insufficient funds.',
  }),
};

const REFUNDS: Record<string, Answer> = {
  pi_throttled: failure(
    429,
    { type: 'rate_limit_error', message: 'Too many requests.' },
    { 'Retry-After': '3' },
  ),
  pi_broken: failure(500, { type: 'api_error', message: 'Something went wrong.' }),
  pi_unknown: failure(404, {
    ...{ type: 'invalid_request_error', code: 'resource_missing' },
    message: "No such payment_intent: 'pi_unknown'",
  }),
};

const ISSUERS: Record<string, string> = { '424242': 'US', '555555': 'DE', '400000': 'US' };

/**
 * Provides the tests of the file that calls it with a payment processor that behaves like a real one: form bodies, bearer key,
 * error codes.
 */
export function usePaymentProcessor(): { url: string; requests: ProcessorRequest[] } {
  const requests: ProcessorRequest[] = [];
  const answered = new Map<unknown, Answer>();
  const server = useHttpServer(async (request, response) => {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://stub');
    const body = Object.fromEntries(new URLSearchParams(await text(request)));
    const { 'idempotency-key': key, authorization } = request.headers;
    const idempotencyKey = key === undefined ? {} : { idempotencyKey: String(key) };
    requests.push({ method: request.method ?? '', path, body, ...idempotencyKey });
    const isAllowed = authorization === `Bearer ${API_KEY}`;
    const bin = path === '/bins' ? (searchParams.get('bin') ?? '') : undefined;
    const answer = answered.get(key) ?? (bin === undefined ? answerTo(path, body, isAllowed) : issuer(bin));
    if (key && answer.status === 200) answered.set(key, answer);
    const headers = { 'Content-Type': 'application/json', 'Request-Id': 'req_stub', ...answer.headers };
    response.writeHead(answer.status, headers).end(JSON.stringify(answer.body));
  });
  return Object.assign(server, { requests });
}

function answerTo(path: string, body: Record<string, string>, isAllowed: boolean): Answer {
  if (!isAllowed)
    return failure(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
  if (path === '/v1/payment_intents') return charge(body);
  if (path === '/v1/refunds') return refund(body.payment_intent ?? '');
  const [id = ''] = path.split('/').slice(-1);
  return { status: 200, body: { id, object: 'payment_intent', amount: 1999, amount_refunded: 1999 } };
}

function charge({ currency = '', amount, ...body }: Record<string, string>): Answer {
  const card = (field: string) => body[`payment_method_data[card][${field}]`] ?? '';
  const message = `Invalid currency: ${currency}.`;
  if (!['usd', 'eur', 'gbp'].includes(currency))
    return failure(400, { type: 'invalid_request_error', param: 'currency', message });
  if (Date.UTC(Number(card('exp_year')), Number(card('exp_month'))) < Date.UTC(2024, 0))
    return declined({ code: 'expired_card', message: 'Your card has expired.' });
  const decline = DECLINES[card('number')];
  if (decline) return decline;
  const brand = card('number').startsWith('3') ? 'amex' : 'visa';
  const charges = { data: [{ payment_method_details: { card: { brand } } }] };
  const intent = { id: `pi_${body['metadata[order_id]']}`, object: 'payment_intent', status: 'succeeded' };
  return { status: 200, body: { ...intent, amount: Number(amount), currency, charges } };
}

const refund = (intent: string): Answer =>
  REFUNDS[intent] ?? {
    status: 200,
    body: { id: intent.replace('pi_', 're_'), object: 'refund', status: 'succeeded' },
  };

function issuer(bin: string): Answer {
  const country = ISSUERS[bin];
  return country ? { status: 200, body: { bin, country } } : { status: 404, body: {} };
}
