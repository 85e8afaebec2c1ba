/** The log for the operator of the emulator. Never contains token data, keys or configuration values. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  /** @param error its name and stack frames are logged; its message is not, because it may quote client data */
  error(message: string, error?: unknown): void;
}

/** What clients and reactor code get of an unexpected error. */
export const internalErrorMessage = (traceId: string): string =>
  `Internal error. Search the emulator log for trace ID ${traceId}.`;

/** Returns name, code and stack frames of an error for the log, after a colon. Leaves out its message. */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { name, message, stack = '', code } = error as NodeJS.ErrnoException;
  const start = stack.indexOf(message) + message.length;
  const frames = stack
    .slice(start)
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
  return `: ${[code === undefined ? name : `${name} [${code}]`, ...frames].join('\n')}`;
}

/** Creates a logger that writes lines to standard error by default. Standard output is reserved for the ready line. */
export function createLogger(
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Logger {
  return {
    info: (message) => write(`${message}\n`),
    warn: (message) => write(`warning: ${message}\n`),
    error: (message, error) => write(`error: ${message}${describeCause(error)}\n`),
  };
}
