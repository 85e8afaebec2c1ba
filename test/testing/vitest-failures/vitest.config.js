export default {
  test: {
    include: ['**/*.suite.js'],
    globalSetup: 'tokenctl/vitest/setup',
    provide: { emulatorOptions: { headerPrefix: 'ACME', manifest: '..' } },
    testTimeout: 600_000,
  },
};
