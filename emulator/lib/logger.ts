/** The log for the operator of the emulator. Never contains token data, keys or configuration values. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  /** @param error its name and stack frames are logged; its message is not, because it may quote client data */
  error(message: string, error?: unknown): void;
}

function framesOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return `: ${[error.name, ...frames].join('\n')}`;
}

/** Creates a logger that writes lines to standard error by default. Standard output is reserved for the ready line. */
export function createLogger(
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Logger {
  return {
    info: (message) => write(`${message}\n`),
    warn: (message) => write(`warning: ${message}\n`),
    error: (message, error) => write(`error: ${message}${framesOf(error)}\n`),
  };
}
