/** Positions and plain data of errors. */

/** The reactor's own file, and how far the wrapper moves the columns of its first line. */
const source = { fileName: '', firstLineOffset: 0 };

export function setSource(fileName: string, firstLineOffset: number): void {
  source.fileName = fileName;
  source.firstLineOffset = firstLineOffset;
}

interface CallSite {
  getFunctionName(): string | null;
  getFileName(): string | null;
  getLineNumber(): number;
  getColumnNumber(): number;
}

function frameOf(site: CallSite): string | undefined {
  const file = site.getFileName();
  const line = site.getLineNumber();
  // Frames of the engine and of the prelude say nothing to the author of a reactor.
  if (file === null || file.startsWith('node:') || line < 1) return undefined;
  const shift = file === source.fileName && line === 1 ? source.firstLineOffset : 0;
  const position = `${file}:${line}:${Math.max(1, site.getColumnNumber() - shift)}`;
  const name = site.getFunctionName();
  return name && name !== '<anonymous>' && name !== '<eval>'
    ? `    at ${name} (${position})`
    : `    at ${position}`;
}

function headerOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'Error';
  }
}

/** QuickJS leaves the first line (`Error: message`) out of `stack`. */
export function installStackTraces(): void {
  const prepareStackTrace = (error: unknown, sites: CallSite[]): string =>
    [headerOf(error), ...sites.map(frameOf).filter((frame) => frame !== undefined)].join('\n');
  Object.assign(Error, { prepareStackTrace });
}

const property = (value: object, key: string): unknown => {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
};

const json = (value: unknown): unknown => {
  try {
    return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
};

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A thrown value as plain data, whatever it is and whatever its getters do. */
export function describeThrown(thrown: unknown): Record<string, unknown> {
  if (typeof thrown !== 'object' || thrown === null) {
    return { name: 'Error', message: headerOf(thrown), stack: '' };
  }
  return {
    name: text(property(thrown, 'name')) ?? 'Error',
    message: text(property(thrown, 'message')) ?? headerOf(thrown),
    stack: text(property(thrown, 'stack')) ?? '',
    status: json(property(thrown, 'status')),
    errors: json(property(thrown, 'errors')),
    headers: json(property(thrown, 'headers')),
    body: json(property(thrown, 'body')),
  };
}
