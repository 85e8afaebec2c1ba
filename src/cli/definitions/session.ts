import { application } from '../../contract/resources.js';
import { type CommandRow, defineCommand, from } from '../command.js';
import { fieldFlags } from '../flags/field-flags.js';
import { expiryFlag } from '../flags/flag.js';

const sessionModule = () => import('../commands/session.js');

const { permissions, rules } = application.fields;

export const commands: readonly CommandRow[] = [
  defineCommand('session create', from(sessionModule, 'createSession'), {
    summary: 'Open a session with a public key, as a page does',
    details: 'Its key may do nothing until `tokenctl session authorize`. It is shown only once.',
    prints: 'sessions.create',
    examples: { 'Keep the key and the nonce.': 'tokenctl session create --json session_key,nonce' },
  }),
  defineCommand('session authorize', from(sessionModule, 'authorizeSession'), {
    summary: 'Grant a session permissions or rules, of those that the private key has',
    operations: ['sessions.authorize'],
    arguments: { nonce: { description: 'nonce of the session, see: tokenctl session create' } },
    flags: {
      ...fieldFlags({ ...application, fields: { permissions, rules } }, 'update'),
      expires: expiryFlag('when the session ends, an hour after its opening by default'),
    },
    examples: {
      'Let a page read masked tokens.': 'tokenctl session authorize "$NONCE" --permission token:read',
    },
  }),
];
