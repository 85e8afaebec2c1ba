import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.js';
import { randomSeed } from './random-seed.js';
import { SuiteReporter } from './suite-reporter.js';

// Tests speak to this machine only, and to read the authorities of the environment takes every process 40 ms.
delete process.env.NODE_EXTRA_CA_CERTS;

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['.config/build-once.ts'],
    setupFiles: ['.config/seed-generators.ts'],
    provide: { randomSeed: randomSeed() },
    // Limits for what hangs, not for what is slow: they also hold on a machine several times slower than usual.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Most of a file's time would be the import of the emulator: the files that a worker runs share its modules.
    pool: 'forks',
    isolate: false,
    // Many tests wait for processes that they started, so that one worker more than cores keeps the machine busy.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new SuiteReporter('About 4 minutes on two cores.')],
  },
});
