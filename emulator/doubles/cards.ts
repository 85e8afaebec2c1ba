import { cardNumbersIn } from '../../src/contract/card-numbers.js';
import type { OutboundResponse } from './stub.js';

/** The card numbers to which the double of a processor answers in a certain way; every other number is charged. */
export const CARDS = {
  charged: '4242424242424242',
  declined: '4000000000000002',
  insufficient_funds: '4000000000009995',
  expired: '4000000000000069',
  incorrect_cvc: '4000000000000127',
  processing_error: '4000000000000119',
  /** 3-D Secure is needed. */
  authentication_required: '4000002500003155',
  /** The processor does not answer. */
  timeout: '4000000000005043',
  /** The processor takes the charge for one that it has made already. */
  duplicate: '4000000000004095',
} as const;

type Outcome = Exclude<keyof typeof CARDS, 'charged'>;

/** Longer than any deadline of a reactor or proxy. Milliseconds. */
const NO_ANSWER_MS = 600_000;

const refusal = (status: number, code: string, message: string, decline_code?: string): OutboundResponse => ({
  status,
  body: { error: { type: 'card_error', code, ...(decline_code && { decline_code }), message } },
});

const OUTCOMES: Readonly<Record<Outcome, OutboundResponse>> = {
  declined: refusal(402, 'card_declined', 'The card was declined.', 'generic_decline'),
  insufficient_funds: refusal(402, 'card_declined', 'The card has insufficient funds.', 'insufficient_funds'),
  expired: refusal(402, 'expired_card', 'The card has expired.'),
  incorrect_cvc: refusal(402, 'incorrect_cvc', 'The security code is incorrect.'),
  processing_error: refusal(402, 'processing_error', 'An error occurred while the card was processed.'),
  authentication_required: refusal(402, 'authentication_required', 'The card needs 3-D Secure.'),
  timeout: { status: 504, latency_ms: NO_ANSWER_MS },
  duplicate: refusal(409, 'duplicate_transaction', 'The same charge was made a moment ago.'),
};

/** The answers by card number. */
export const REFUSALS: ReadonlyMap<string, OutboundResponse> = new Map(
  Object.entries(OUTCOMES).map(([outcome, response]) => [CARDS[outcome as Outcome], response]),
);

/** Finds the card number in the body of a request, whatever its format. */
export function findNumber(body: unknown, text: string): string | undefined {
  const [found] = cardNumbersIn(body === undefined ? text : JSON.stringify(body));
  return found?.digits;
}
