import fc from 'fast-check';
import { inject } from 'vitest';

fc.configureGlobal({ seed: inject('randomSeed') });

declare module 'vitest' {
  interface ProvidedContext {
    randomSeed: number;
  }
}
