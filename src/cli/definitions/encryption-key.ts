import { type CommandRow, defineCommand, from } from '../command.js';
import { expiryFlag } from '../flags/flag.js';

const encryptionKeyModule = () => import('../commands/encryption-key.js');

const KEY = { description: 'key id, see: tokenctl encryption-key list' };

export const commands: readonly CommandRow[] = [
  defineCommand('encryption-key create', from(encryptionKeyModule, 'createKey'), {
    summary: 'Create a key that clients encrypt token data with',
    details:
      'They send it as `encrypted` in place of `data`: a JWE of RSA-OAEP-256 and A256GCM, with the id of the key as kid.',
    prints: 'keys.create',
    flags: { expires: expiryFlag('when it expires, after a day by default') },
    examples: {
      'Write the public half to a file.': 'tokenctl encryption-key create --jq .public_key_pem > key.pem',
    },
  }),
  defineCommand('encryption-key list', from(encryptionKeyModule, 'listKeys'), {
    summary: 'List the keys that clients encrypt token data with',
    prints: 'keys.list',
    examples: { 'When they expire.': 'tokenctl encryption-key list -o table' },
  }),
  defineCommand('encryption-key get', from(encryptionKeyModule, 'getKey'), {
    summary: 'Get a key that clients encrypt token data with',
    prints: 'keys.get',
    arguments: { id: KEY },
    examples: { 'When it expires.': 'tokenctl encryption-key get "$ENCRYPTION_KEY_ID" --json expires_at' },
  }),
  defineCommand('encryption-key delete', from(encryptionKeyModule, 'deleteKey'), {
    summary: 'Delete a key; what it encrypted is refused from then on',
    operations: ['keys.delete'],
    arguments: { id: KEY },
    examples: { 'Delete without confirmation.': 'tokenctl encryption-key delete "$ENCRYPTION_KEY_ID" --yes' },
  }),
];
