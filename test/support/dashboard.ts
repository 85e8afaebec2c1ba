import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { launchBrowser } from './browser.js';
import { PATIENCE } from './patience.js';
import { controlOf, type TestServer } from './test-server.js';

/** The dashboard of a test server in a browser; which every test finds as after its first start. */
class DashboardPage {
  /** Errors in the console of the page: whatever fails, and whatever breaks its policy. Any of them fails the test. */
  errors: string[] = [];
  #browser: Browser | undefined;
  #page: Page | undefined;

  constructor(private readonly server: TestServer) {}

  get page(): Page {
    if (!this.#page) throw new Error('There is a page within tests only.');
    return this.#page;
  }

  get browser(): Browser {
    if (!this.#browser) throw new Error('There is a browser within tests only.');
    return this.#browser;
  }

  async launch(): Promise<void> {
    this.#browser = await launchBrowser();
    const page = await this.#browser.newPage();
    page.setDefaultTimeout(PATIENCE.timeout);
    page.on('console', (message) => message.type() === 'error' && this.errors.push(message.text()));
    page.on('pageerror', ({ message }) => this.errors.push(message));
    this.#page = page;
  }

  async close(): Promise<void> {
    await this.#browser?.close();
  }

  /** Opens the page as if for the first time. */
  async open(): Promise<void> {
    const { dashboard_url } = this.server.emulator.ready;
    await controlOf(this.server).post('/reset');
    await this.page.emulateMedia({ colorScheme: 'light' });
    if (this.page.url() === 'about:blank') await this.page.goto(dashboard_url);
    else {
      await this.page.evaluate(
        `sessionStorage.clear(); history.replaceState(null, '', ${JSON.stringify(dashboard_url)})`,
      );
      // Leaving the origin in between would start two processes of the browser.
      await this.page.reload({ waitUntil: 'commit' });
      this.errors = [];
    }
    await this.page.getByText('Live', { exact: true }).waitFor();
  }

  assertNoErrors(): void {
    expect(this.errors).toEqual([]);
  }

  /** Goes to a view and waits for its heading. @param route such as `tokens?query=type:card` */
  async go(route: string, heading: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(`#/${route}`)}`);
    await this.page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  }

  /** The failures that a test provokes are in the console too. @param status of the response */
  expectError(status: number): void {
    expect(this.errors.some((error) => error.includes(String(status)))).toBe(true);
    this.errors = this.errors.filter((error) => !error.includes(String(status)));
  }
}

/** Provides the dashboard of a server for all tests of the file or block that calls it. */
export function useDashboard(server: TestServer): DashboardPage {
  const dashboard = new DashboardPage(server);
  beforeAll(() => dashboard.launch());
  afterAll(() => dashboard.close());
  beforeEach(() => dashboard.open());
  afterEach(() => dashboard.assertNoErrors());
  return dashboard;
}
