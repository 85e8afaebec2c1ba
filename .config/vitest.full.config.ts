import { mergeConfig } from 'vitest/config';
import quick from './vitest.config.js';

/** The tests that `npm test` runs at a reduced width: generated input, killed processes, every point of failure. */
export default mergeConfig(quick, {
  test: {
    env: { TEST_WIDTH: 'full' },
    testTimeout: 1_800_000,
  },
});
