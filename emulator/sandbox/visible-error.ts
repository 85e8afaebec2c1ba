/** An error of the host whose name, message and code reactor code may see. */
export class VisibleError extends Error {
  readonly code: string | undefined;

  constructor(message: string, name = 'Error', code?: string) {
    super(message);
    this.name = name;
    this.code = code;
  }
}

/** What the code is told of an error: nothing of those that the host has for its own reasons. */
export function toVisibleFields(error: unknown): { name: string; message: string; code: string | undefined } {
  const { name, message, code } =
    error instanceof VisibleError ? error : new VisibleError('The call failed.');
  return { name, message, code };
}
