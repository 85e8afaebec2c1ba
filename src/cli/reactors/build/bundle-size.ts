import type { Metafile } from 'esbuild';

/** Entries of the list; the rest is too small to matter. */
const MAX_ENTRIES = 8;

/** Returns the package that a file belongs to; undefined for a file of the project. */
function packageName(input: string): string | undefined {
  const match = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input);
  return match?.[1];
}

/**
 * Lists the largest parts of a bundle, largest first: `zod: 31,200 bytes (48 %)`.
 * @param formatPath Names a file that is not part of a package.
 */
export function listLargestParts({ outputs }: Metafile, formatPath: (input: string) => string): string[] {
  const bytes = new Map<string, number>();
  for (const { inputs } of Object.values(outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const owner = packageName(input) ?? formatPath(input);
      bytes.set(owner, (bytes.get(owner) ?? 0) + bytesInOutput);
    }
  }
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0);
  return [...bytes]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_ENTRIES)
    .map(
      ([owner, size]) =>
        `${owner}: ${size.toLocaleString('en')} bytes (${Math.round((100 * size) / total)} %)`,
    );
}
