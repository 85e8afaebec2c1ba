import type { Context } from '../../command.js';
import type { Options } from '../../flags/flag.js';
import { printItem } from '../shared/entity-names.js';

export async function getCardDetails(query: { bin: string }, context: Context): Promise<void> {
  await printItem(await context.client.call('enrichments.cardDetails', { query }), PLAIN, context);
}

type VerifyOptions = { token: string } & Options<'routingNumber'>;

export async function verifyBankAccount(options: VerifyOptions, context: Context): Promise<void> {
  const body = { token_id: options.token, routing_number: options.routingNumber };
  await printItem(await context.client.call('enrichments.verifyBankAccount', { body }), PLAIN, context);
}

const PLAIN = { redaction: 'plain' } as const;
