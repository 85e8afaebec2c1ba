import { PERMISSION_NAMES } from '../../../contract/permissions.js';
import type { OperationInput } from '../../../contract/schemas/index.js';

export const LOCAL_APPLICATION_NAME = 'reactor';

/**
 * The application that `reactor run` and `reactor test` use in place of the one that the manifest names, whose
 * permissions only the service knows: it may do everything with tokens.
 */
export function createLocalApplication(): OperationInput<'applications.create'>['body'] {
  const permissions = PERMISSION_NAMES.filter((name) => name.startsWith('token:'));
  return { name: LOCAL_APPLICATION_NAME, type: 'private', permissions };
}
