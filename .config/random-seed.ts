import { execFileSync } from 'node:child_process';

/**
 * The seed of all generated input, printed with each failure: FUZZ_SEED, or the hash of the committed tree. A commit that
 * passed passes again elsewhere, and every commit tries other input.
 */
export function randomSeed(): number {
  if (process.env.FUZZ_SEED) return Number(process.env.FUZZ_SEED);
  try {
    const tree = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { encoding: 'utf8', stdio: 'pipe' });
    return Number.parseInt(tree.slice(0, 7), 16);
  } catch {
    return Date.now();
  }
}
