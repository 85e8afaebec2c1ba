/** An error of the host whose name, message and code reactor code may see. */
export class VisibleError extends Error {
  readonly code: string | undefined;

  constructor(message: string, name = 'Error', code?: string) {
    super(message);
    this.name = name;
    this.code = code;
  }
}
