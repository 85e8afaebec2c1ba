// CHROMIUM_PATH is the browser of the machine.
export default {
  testMatch: '**/*.suite.js',
  globalSetup: 'tokenctl/playwright/setup',
  reporter: [['html', { open: 'never' }], ['blob'], ['tokenctl/playwright/reporter']],
  use: {
    trace: 'on',
    launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox', '--disable-gpu'] },
  },
  // Playwright leaves installed packages as they are. This one is a link to the repository.
  build: { external: ['**/dist/**'] },
};
