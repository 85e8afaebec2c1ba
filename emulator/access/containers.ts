import { LruCache } from '../lib/lru.js';

/** Containers are few, and every token asks what is above its own. */
const known = new LruCache<readonly string[]>(1_000);

/** The containers whose grants cover this one: `/pci/high/` is covered by `/`, `/pci/` and itself. */
export function coveringContainers(container: string): readonly string[] {
  return known.getOrCreate(container, () => covering(container));
}

/** The same of several containers, each once. */
export function coveringAny(containers: readonly string[]): Iterable<string> {
  const [only, ...others] = containers;
  if (only !== undefined && others.length === 0) return coveringContainers(only);
  return new Set(containers.flatMap((container) => coveringContainers(container)));
}

function covering(container: string): string[] {
  const containers = ['/'];
  for (let at = container.indexOf('/', 1); at > 0; at = container.indexOf('/', at + 1)) {
    containers.push(container.slice(0, at + 1));
  }
  return containers;
}
