export default {
  test: { include: ['**/*.suite.js'], globalSetup: 'tokenctl/vitest/setup', testTimeout: 600_000 },
};
