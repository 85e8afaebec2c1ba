import { safeToString } from '../../runtime/describe-thrown.js';

/** The reactor's file, and by how many columns the wrapper shifts its first line. */
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

function formatFrame(site: CallSite): string | undefined {
  const file = site.getFileName();
  const line = site.getLineNumber();
  // Frames of the engine and of the prelude are of no use to reactor authors.
  if (file === null || file.startsWith('node:') || line < 1) return undefined;
  const shift = file === source.fileName && line === 1 ? source.firstLineOffset : 0;
  const position = `${file}:${line}:${Math.max(1, site.getColumnNumber() - shift)}`;
  const name = site.getFunctionName();
  return name && name !== '<anonymous>' && name !== '<eval>'
    ? `    at ${name} (${position})`
    : `    at ${position}`;
}

/** Formats `error.stack` as in Node.js. QuickJS omits the first line (`Error: message`). */
export function installStackTraces(): void {
  const prepareStackTrace = (error: unknown, sites: CallSite[]): string =>
    [safeToString(error), ...sites.map(formatFrame).filter((frame) => frame !== undefined)].join('\n');
  Object.assign(Error, { prepareStackTrace });
}
