import { tokenDataSchemas } from '../../../contract/schemas/token-data.js';
import type { TokenType } from '../../../contract/token-types.js';

/**
 * Returns what is wrong with the data of a token: `The value must be nine digits.` With a property, it returns what is wrong
 * with that one alone.
 */
export function dataProblem(type: string, data: unknown, property?: string): string | undefined {
  const { error } = tokenDataSchemas[type as TokenType].safeParse(data);
  const issue = error?.issues.find(({ path }) => property === undefined || path[0] === property);
  return issue && `The value ${issue.message}.`;
}
