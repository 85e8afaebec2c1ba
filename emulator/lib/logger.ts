/** Where the emulator says what its operator must know. Never token data, keys or configuration values. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  /** @param error its name and stack frames are shown, its message is not: it may quote what a client sent. */
  error(message: string, error?: unknown): void;
}

function framesOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return `: ${[error.name, ...frames].join('\n')}`;
}

/** Writes lines, to standard error by default: standard output belongs to the ready line. */
export function createLogger(
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Logger {
  return {
    info: (message) => write(`${message}\n`),
    warn: (message) => write(`warning: ${message}\n`),
    error: (message, error) => write(`error: ${message}${framesOf(error)}\n`),
  };
}
