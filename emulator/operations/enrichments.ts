import { problem, validationProblem } from '../problems/problem.js';
import type { Handlers } from './context.js';
import { detokenizePayload } from './tokenize/detokenize.js';
import { findByPrefix } from './tokens/details.js';

/** By account number; all others are inconclusive. */
const ACCOUNTS: Readonly<Record<string, 'enabled' | 'disabled'>> = {
  '00000': 'disabled',
  '00001': 'enabled',
};

type Account = { type: string; data: string | { account_number: string } };

export const enrichmentHandlers = {
  async 'enrichments.cardDetails'({ query: { bin } }) {
    const { brand, funding, issuer } = findByPrefix(bin);
    if (brand === undefined) throw problem('notFound', 'Nothing is known of cards with this BIN.');
    return { status: 200, body: { brand, ...(funding && { funding, issuer }) } };
  },
  /** POST /enrichments/bank-account-verify: uses the token as `{{ token: <id> }}` does. */
  async 'enrichments.verifyBankAccount'({ body }, call, context) {
    const { token_id, routing_number } = body;
    const token = await detokenizePayload(`{{ token: ${token_id} }}`, 'token_id', call, context);
    const { type, data } = token as unknown as Account;
    if (type !== 'bank' && type !== 'us_bank_account_number')
      throw validationProblem({ token_id: ['must be a token of type bank or us_bank_account_number'] });
    if (type === 'us_bank_account_number' && routing_number == null)
      throw validationProblem({ routing_number: [`is required for a token of type ${type}`] });
    call.tokenIds?.add(token_id);
    const number = typeof data === 'string' ? data : data.account_number;
    return { status: 200, body: { status: ACCOUNTS[number] ?? 'inconclusive' } };
  },
} satisfies Partial<Handlers>;
