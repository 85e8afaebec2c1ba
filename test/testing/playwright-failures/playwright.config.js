export default {
  testMatch: '**/*.suite.js',
  globalSetup: 'tokenctl/playwright/setup',
  use: { emulatorOptions: { headerPrefix: 'ACME', manifest: '..' } },
  timeout: 600_000,
  // Playwright leaves installed packages as they are. This one is a link to the repository.
  build: { external: ['**/dist/**'] },
};
