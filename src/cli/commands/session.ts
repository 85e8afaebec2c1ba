import type { CallInput } from '../../client/request.js';
import { RESOURCES } from '../../contract/resources.js';
import type { Context } from '../command.js';
import { type ResourceOptions, readBody } from './resource/body.js';
import { printItem } from './shared/entity-names.js';
import { requireFlags, toExpiry } from './shared/flag-values.js';

export async function createSession(_options: object, context: Context): Promise<void> {
  await printItem(await context.client.call('sessions.create'), { redaction: 'plain' }, context);
}

export async function authorizeSession(
  { nonce, expires, ...options }: ResourceOptions & { nonce: string; expires?: string | undefined },
  context: Context,
): Promise<void> {
  const access = await readBody(RESOURCES.application, options, context);
  requireFlags({ '--permission or --rules': access.permissions ?? access.rules });
  const body = { ...access, nonce, ...(expires !== undefined && { expires_at: toExpiry(expires) }) };
  await context.client.call('sessions.authorize', { body } as CallInput<'sessions.authorize'>);
  context.output.notice('Authorized the session.');
}
