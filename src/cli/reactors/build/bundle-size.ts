import type { Metafile } from 'esbuild';

const SHOWN = 8;

/** The package a file belongs to, else undefined. */
function packageOf(input: string): string | undefined {
  const match = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input);
  return match?.[1];
}

/** What takes the room in a bundle, the largest first: `zod: 31,200 bytes (48 %)`; `shown` names a file of no package. */
export function shareOfRoom({ outputs }: Metafile, shown: (input: string) => string): string[] {
  const bytes = new Map<string, number>();
  for (const { inputs } of Object.values(outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const owner = packageOf(input) ?? shown(input);
      bytes.set(owner, (bytes.get(owner) ?? 0) + bytesInOutput);
    }
  }
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0);
  return [...bytes]
    .sort(([, one], [, other]) => other - one)
    .slice(0, SHOWN)
    .map(
      ([owner, size]) =>
        `${owner}: ${size.toLocaleString('en')} bytes (${Math.round((100 * size) / total)} %)`,
    );
}
