import { expect, test } from 'vitest';
import { HAS_BROWSER, launchBrowser } from '../../support/browser.js';
import { temporaryDataDir } from '../../support/data-dir.js';
import { PATIENCE } from '../../support/patience.js';
import { TestServer } from '../../support/test-server.js';

test.skipIf(!HAS_BROWSER)('a restart clears the requests and keeps forms (needs chromium)', async () => {
  const dataDir = await temporaryDataDir();
  const before = new TestServer({ dataDir });
  await before.start();
  const { dashboard_url, base_url } = before.emulator.ready;
  const after = new TestServer({ dataDir, port: Number(new URL(base_url).port) });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE.timeout);
    await page.goto(dashboard_url);
    await page.getByRole('navigation').getByRole('link', { name: 'Requests' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    await before.token({ type: 'token', data: 1 });
    await page.getByRole('link', { name: 'POST /tokens' }).waitFor();
    await page.goto(`${page.url().replace(/#.*/, '')}#/proxies/new`);
    await page.getByLabel('Name').fill('half-written');
    await before.close();
    await after.start();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('half-written');
    await page.goBack();
    await page.getByText('No requests yet.').waitFor();
    expect(await page.getByRole('link', { name: 'POST /tokens' }).count()).toBe(0);
    await after.get('/tokens');
    await page.getByRole('link', { name: 'GET /tokens' }).waitFor();
  } finally {
    await browser.close();
    await after.close();
  }
});
