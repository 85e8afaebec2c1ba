import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SuiteReporter } from './suite-reporter.js';
import quick from './vitest.config.js';

const tests = fileURLToPath(new URL('../test', import.meta.url));

/** The test files that `npm test` runs at a reduced width. */
const reduced = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) => readFileSync(join(tests, file), 'utf8').includes('/support/width.js'));

/** Their whole width: generated input, killed processes, every point of failure. */
export default defineConfig({
  ...quick,
  test: {
    ...quick.test,
    include: reduced.map((file) => `test/${file}`),
    reporters: ['default', new SuiteReporter('About 15 minutes on two cores, with the soak after it.')],
    env: { TEST_WIDTH: 'full' },
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
  },
});
