import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';
import { width } from '../test/support/width.js';

// Tests speak to this machine only, and to read the authorities of the environment takes every process 40 ms.
delete process.env.NODE_EXTRA_CA_CERTS;

const root = fileURLToPath(new URL('..', import.meta.url));

/** The test files of which `npm test` runs a part. */
function sweeps(): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file}`)
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('/support/width.js'));
}

/** A fifth of the tests and three quarters of the time: processes, browsers, databases. `npm test` leaves them to `.ci/run`. */
const SLOW = [
  'test/{cassette,clients,demo,docs,package,robustness,scenarios,testing}/**',
  'test/cli/{bulk,commands,emulator,mcp,output,reactors/test,scaffold,tenant-config/apply,tenant-config/plan}/**',
  'test/emulator/{dashboard,data-dir,elements,sandbox/packages,sandbox/pool,store/postgres,store/recovery}/**',
  'test/**/{examples,failures,shared-store}.test.ts',
];
/** Tests that are named run. */
const runsAll =
  process.env.TEST_WIDTH !== undefined || process.argv.some((argument) => argument.startsWith('test/'));

/**
 * Names the tests of a run that did not run: their program or platform is missing, as their titles say, or they belong to
 * `npm run test:long`. A file of which no test ran is one line.
 */
const skippedTests: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    const titles = skipped.map(({ module, fullName }) =>
      module.state() === 'skipped' ? module.relativeModuleId : `${module.relativeModuleId} > ${fullName}`,
    );
    if (titles.length > 0) console.log(`\n NOT RUN:\n   ${[...new Set(titles)].join('\n   ')}`);
    if (!runsAll) console.log(`\n LEFT TO .ci/run:\n   ${SLOW.join('\n   ')}`);
  },
};

const MINUTE_MS = 60_000;
/** A limit for what hangs, not for what is slow: at least four times what a test needs on a machine several times slower. */
const limit = width(10, 120) * MINUTE_MS;

export default defineConfig({
  root,
  test: {
    include: width(['test/**/*.test.ts'], sweeps()),
    exclude: [...configDefaults.exclude, ...(runsAll ? [] : SLOW)],
    globalSetup: ['.config/prepare-run.ts'],
    setupFiles: ['test/support/seed-generators.ts'],
    testTimeout: limit,
    hookTimeout: limit,
    expect: { poll: { timeout: 3 * MINUTE_MS } },
    // Most of a file's time would be the import of the emulator: the files that a worker runs share its modules.
    pool: 'forks',
    isolate: false,
    // Many tests wait for processes that they started, so that one worker more than cores keeps the machine busy.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', skippedTests],
  },
});
