// CHROMIUM_PATH is the browser of the machine.
export default {
  testMatch: '**/*.suite.js',
  globalSetup: 'tokenctl/playwright/setup',
  // A limit for what hangs: on a busy machine, the browser alone may need more than the usual 30 seconds.
  timeout: 300_000,
  reporter: [['html', { open: 'never' }], ['blob'], ['tokenctl/playwright/reporter']],
  use: {
    trace: 'on',
    launchOptions: { executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox', '--disable-gpu'] },
  },
  // Playwright leaves installed packages as they are. This one is a link to the repository.
  build: { external: ['**/dist/**'] },
};
