/** An error of the host whose name and message reactor code may see. */
export class VisibleError extends Error {
  constructor(message: string, name = 'Error') {
    super(message);
    this.name = name;
  }
}
