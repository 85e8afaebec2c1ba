import type { IncomingMessage, ServerResponse } from 'node:http';
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
const CURRENCIES = new Set(['usd', 'eur', 'gbp']);

/** The vendor's published test card numbers and the errors of charging them. */
const DECLINES: Record<string, { code: string; decline_code?: string; message: string }> = {
  '4000000000000002': {
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  },
  '4000000000009995': {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
};

const ISSUERS: Record<string, string> = { '424242': 'US', '555555': 'DE', '400000': 'US' };

/**
 * Provides the tests of the file that calls it with a payment processor that behaves like a real one: form bodies, bearer key,
 * error codes.
 */
export function usePaymentProcessor(): { url: string; requests: ProcessorRequest[] } {
  const requests: ProcessorRequest[] = [];
  const answered = new Map<string, Answer>();
  const server = useHttpServer((request, response) => serve(request, response, requests, answered));
  return Object.assign(server, { requests });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  requests: ProcessorRequest[],
  answered: Map<string, Answer>,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stub');
  const body = Object.fromEntries(new URLSearchParams(await text(request)));
  const key = request.headers['idempotency-key'];
  const idempotencyKey = typeof key === 'string' ? key : undefined;
  requests.push({
    method: request.method ?? '',
    path: pathname,
    body,
    ...(idempotencyKey && { idempotencyKey }),
  });
  const first = idempotencyKey && answered.get(idempotencyKey);
  const answer = first || answerTo(request, pathname, searchParams, body);
  if (idempotencyKey && answer.status === 200) answered.set(idempotencyKey, answer);
  response.writeHead(answer.status, {
    'Content-Type': 'application/json',
    'Request-Id': 'req_stub',
    ...answer.headers,
  });
  response.end(JSON.stringify(answer.body));
}

function answerTo(
  request: IncomingMessage,
  pathname: string,
  query: URLSearchParams,
  body: Record<string, string>,
): Answer {
  if (pathname === '/bins') return issuer(query.get('bin') ?? '');
  if (request.headers.authorization !== `Bearer ${API_KEY}`) {
    return failure(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
  }
  if (pathname === '/v1/payment_intents') return charge(body);
  if (pathname === '/v1/refunds') return refund(body.payment_intent ?? '');
  return payment(pathname.split('/').at(-1) ?? '');
}

function charge(body: Record<string, string>): Answer {
  const card = (field: string) => body[`payment_method_data[card][${field}]`] ?? '';
  const currency = body.currency ?? '';
  if (!CURRENCIES.has(currency)) {
    return failure(400, {
      type: 'invalid_request_error',
      param: 'currency',
      message: `Invalid currency: ${currency}.`,
    });
  }
  if (Date.UTC(Number(card('exp_year')), Number(card('exp_month'))) < Date.UTC(2024, 0)) {
    return failure(402, { type: 'card_error', code: 'expired_card', message: 'Your card has expired.' });
  }
  const decline = DECLINES[card('number')];
  if (decline) return failure(402, { type: 'card_error', ...decline });
  const brand = card('number').startsWith('3') ? 'amex' : 'visa';
  const id = `pi_${body['metadata[order_id]']}`;
  return {
    status: 200,
    body: {
      id,
      object: 'payment_intent',
      amount: Number(body.amount),
      currency,
      status: 'succeeded',
      charges: { data: [{ payment_method_details: { card: { brand } } }] },
    },
  };
}

function refund(intent: string): Answer {
  if (intent === 'pi_throttled') {
    const slow = failure(429, { type: 'rate_limit_error', message: 'Too many requests.' });
    return { ...slow, headers: { 'Retry-After': '3' } };
  }
  if (intent === 'pi_broken') return failure(500, { type: 'api_error', message: 'Something went wrong.' });
  if (intent === 'pi_unknown') {
    const message = `No such payment_intent: '${intent}'`;
    return failure(404, { type: 'invalid_request_error', code: 'resource_missing', message });
  }
  return { status: 200, body: { id: intent.replace('pi_', 're_'), object: 'refund', status: 'succeeded' } };
}

function payment(id: string): Answer {
  return { status: 200, body: { id, object: 'payment_intent', amount: 1999, amount_refunded: 1999 } };
}

function issuer(bin: string): Answer {
  const country = ISSUERS[bin];
  return country ? { status: 200, body: { bin, country } } : { status: 404, body: {} };
}

function failure(status: number, error: Record<string, string>): Answer {
  return { status, body: { error } };
}
