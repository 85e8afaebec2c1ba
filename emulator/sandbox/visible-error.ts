/** An error of the host whose name, message and code may be shown to reactor code. */
export class VisibleError extends Error {
  readonly code: string | undefined;

  constructor(message: string, name = 'Error', code?: string) {
    super(message);
    this.name = name;
    this.code = code;
  }
}

/** Returns what reactor code gets of an error, as plain data. */
export const toVisibleFields = ({ name, message, code }: VisibleError) => ({ name, message, code });
