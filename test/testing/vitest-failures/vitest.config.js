export default {
  test: {
    include: ['**/*.suite.js'],
    globalSetup: 'tokenctl/vitest/setup',
    provide: { emulatorOptions: { headerPrefix: 'ACME' } },
    testTimeout: 600_000,
  },
};
