/** An error of the host whose name, message and code may be shown to reactor code. */
export class VisibleError extends Error {
  readonly code: string | undefined;

  constructor(message: string, name = 'Error', code?: string) {
    super(message);
    this.name = name;
    this.code = code;
  }
}

/** Returns the fields of a `VisibleError`. Any other error is replaced by a generic one, because it may describe the host. */
export function toVisibleFields(error: unknown): { name: string; message: string; code: string | undefined } {
  const { name, message, code } =
    error instanceof VisibleError ? error : new VisibleError('The call failed.');
  return { name, message, code };
}
