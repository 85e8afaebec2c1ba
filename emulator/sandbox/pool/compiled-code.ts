import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ReactorSource } from '../protocol.js';
import type { Instance } from './instance.js';

/** Code and packages that are shorter compile in a few milliseconds. Characters. */
const MIN_CHARACTERS = 50_000;

/** Images of engines that compiled large code, and ran none. A cold reactor with the package `stripe`: 180 → 25 ms. */
export class CompiledCode {
  readonly #images: LRUCache<string, Uint8Array>;

  /** @param maxBytes of all images */
  constructor(maxBytes: number) {
    this.#images = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ length }) => length });
  }

  get size(): number {
    return this.#images.size;
  }

  /** Completes a source for an instance, with an image or the wish for one. What has run other code is not trusted with it. */
  complete(source: ReactorSource, { hasRun }: Instance): ReactorSource {
    const key = keyOf(source);
    const compiled = key && this.#images.get(key);
    if (compiled) return { ...source, compiled };
    return key && !hasRun ? { ...source, keepsCompiled: true } : source;
  }

  keep(source: ReactorSource, image: Uint8Array): void {
    const key = source.keepsCompiled && keyOf(source);
    if (key) this.#images.set(key, image);
  }
}

function keyOf({ code, fileName, packages }: ReactorSource): string | undefined {
  const texts = [fileName, code, ...Object.entries(packages?.bundles ?? {}).flat()];
  if (texts.reduce((sum, { length }) => sum + length, 0) < MIN_CHARACTERS) return undefined;
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length} `).update(text);
  return hash.digest('base64');
}
