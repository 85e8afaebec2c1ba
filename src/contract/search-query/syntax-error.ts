/** A syntax error in a search query. `column` counts from 1. */
export class QuerySyntaxError extends Error {
  override readonly name = 'QuerySyntaxError';

  constructor(what: string, column?: number) {
    super(column === undefined ? what : `${what} (position ${column})`);
  }
}
