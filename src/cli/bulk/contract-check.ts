import { tokenDataSchemas } from '../../contract/schemas/token-data.js';
import { createToken } from '../../contract/schemas/tokens.js';
import type { TokenRecord } from './row.js';

/**
 * Whether a row has the shape that the contract asks of a create request. The service decides: one that does not is sent
 * apart from the others, whose request it would probably fail.
 */
export function conformsToContract(record: TokenRecord): boolean {
  const parsed = createToken.safeParse(record);
  return parsed.success && tokenDataSchemas[parsed.data.type].safeParse(record.data).success;
}
