import * as z from 'zod';
import { cardDetails, isTokenId, TOKEN_ID_RULE } from './tokens.js';

const binDetails = cardDetails
  .pick({ brand: true, funding: true, issuer: true })
  .meta({ id: 'BinDetails', description: 'What is known of the cards of a BIN.' });

const verifyBankAccount = z
  .strictObject({
    token_id: z.string().refine(isTokenId, `must be ${TOKEN_ID_RULE}`),
    country_code: z.literal('US', 'must be US').nullish(),
    routing_number: z.string().nullish().describe('Of a token of type `us_bank_account_number`.'),
  })
  .meta({ id: 'VerifyBankAccountRequest', description: 'The bank account in a token.' });

const bankAccountStatus = z
  .strictObject({ status: z.enum(['enabled', 'disabled', 'inconclusive']) })
  .meta({ id: 'BankAccountStatus', description: 'Whether a bank account can receive money.' });

export const enrichmentSchemas = {
  'enrichments.cardDetails': {
    query: z.strictObject({
      bin: z
        .string('is required')
        .regex(/^\d{6,8}$/, 'must be 6 to 8 digits')
        .describe('The first digits of a card number.'),
    }),
    responses: { 200: binDetails },
  },
  'enrichments.verifyBankAccount': {
    body: verifyBankAccount,
    responses: { 200: bankAccountStatus },
  },
};
