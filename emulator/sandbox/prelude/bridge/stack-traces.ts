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
  if (file !== source.fileName) return undefined;
  const shift = line === 1 ? source.firstLineOffset : 0;
  const position = `${file}:${line}:${Math.max(1, site.getColumnNumber() - shift)}`;
  // The engine has no line for the function that sets the fields of a class. The host finds it.
  const name = line === 0 ? '<instance_members_initializer>' : site.getFunctionName();
  return name && name !== '<anonymous>' && name !== '<eval>'
    ? `    at ${name} (${position})`
    : `    at ${position}`;
}

/** Names the function of the engine or the prelude in which reactor code failed; undefined if it failed by itself. */
function formatOrigin(sites: CallSite[], frames: (string | undefined)[]): string | undefined {
  const called = sites[frames.findIndex((frame) => frame !== undefined) - 1];
  return called && `    at ${called.getFunctionName() || 'native'} (<anonymous>)`;
}

/** Formats `error.stack` as in Node.js. QuickJS omits the first line (`Error: message`). */
export function installStackTraces(): void {
  const prepareStackTrace = (error: unknown, sites: CallSite[]): string => {
    const frames = sites.map(formatFrame);
    return [safeToString(error), formatOrigin(sites, frames), ...frames]
      .filter((line) => line !== undefined)
      .join('\n');
  };
  Object.assign(Error, { prepareStackTrace });
}
