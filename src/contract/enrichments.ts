import { defineOperation } from './operation-row.js';

/** What is known of cards and bank accounts, from made-up tables; extensions. */
export const enrichmentOperations = {
  'enrichments.cardDetails': defineOperation('GET', '/enrichments/card-details', null, {
    summary: 'Get what is known of the cards of a BIN, from made-up issuers',
    problems: ['notFound'],
  }),
  'enrichments.verifyBankAccount': defineOperation('POST', '/enrichments/bank-account-verify', 'token:use', {
    summary: 'Tell whether a bank account can receive money, from made-up accounts',
    body: 'json',
  }),
};
