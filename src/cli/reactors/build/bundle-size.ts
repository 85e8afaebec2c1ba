import type { Metafile } from 'esbuild';
import { packageOfFile } from './package-name.js';

/** Entries of the list; the rest is too small to matter. */
const MAX_ENTRIES = 8;

/** Smaller ways to import packages that are often too large. */
const SMALLER: ReadonlyMap<string, string> = new Map([
  ['zod', "import from 'zod/mini' in place of 'zod'"],
  ['lodash', "import single functions, such as 'lodash/get'"],
  ['lodash-es', "import single functions, such as 'lodash-es/get.js'"],
  ['date-fns', "import single functions, such as 'date-fns/format'"],
]);

/** A package or file of the project, and its share of a bundle. */
interface BundlePart {
  owner: string;
  /** `zod: 31,200 bytes (48 %)` */
  text: string;
}

/**
 * Lists the largest parts of a bundle, largest first.
 * @param formatPath Names a file that is not part of a package.
 */
export function listLargestParts({ outputs }: Metafile, formatPath: (input: string) => string): BundlePart[] {
  const bytes = new Map<string, number>();
  for (const { inputs } of Object.values(outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const owner = packageOfFile(input) ?? formatPath(input);
      bytes.set(owner, (bytes.get(owner) ?? 0) + bytesInOutput);
    }
  }
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0);
  return [...bytes]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_ENTRIES)
    .map(([owner, size]) => ({
      owner,
      text: `${owner}: ${size.toLocaleString('en')} bytes (${Math.round((100 * size) / total)} %)`,
    }));
}

/** Says how to make a bundle smaller. @param owners its largest parts, largest first */
export function adviseOnSize(owners: readonly string[]): string {
  const smaller = owners.flatMap((owner) => SMALLER.get(owner) ?? []).slice(0, 1);
  const general =
    'Use smaller packages, or leave a package that the service provides out with --external NAME.';
  return [...smaller.map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`), general].join(' ');
}
