import { assertStructure, ExpressionError, type Json } from '../../expressions/index.js';
import { forEachYielding } from '../../lib/turns.js';
import { type TenantFile, TenantFileError } from '../../services/tenant-file/tenant-file.js';

const MASK_SCOPE = { data: undefined };
const FINGERPRINT_SCOPE = { data: undefined, metadata: undefined };

/**
 * Checks the expressions of the tokens in a tenant file. They are not evaluated: the data may have changed since they were
 * accepted, as that of a card without its cvc has.
 * @throws TenantFileError with the path of the first one that is not valid
 */
export async function assertTenantFileExpressions({ tokens }: TenantFile): Promise<void> {
  await forEachYielding(tokens.entries(), ([index, token]) => {
    const { mask, search_indexes = [], fingerprint_expression = '' } = token;
    try {
      if (mask !== undefined) assertStructure(mask as Json, MASK_SCOPE, `tokens.${index}.mask`);
      assertStructure(search_indexes, MASK_SCOPE, `tokens.${index}.search_indexes`);
      const path = `tokens.${index}.fingerprint_expression`;
      assertStructure(fingerprint_expression, FINGERPRINT_SCOPE, path);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const [[at, messages] = []] = Object.entries(error.errors);
      throw new TenantFileError(`${at} ${messages?.[0]}`);
    }
  });
}
