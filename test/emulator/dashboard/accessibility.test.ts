import axe from 'axe-core';
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { HAS_BROWSER } from '../../support/browser.js';
import { useDashboard } from '../../support/dashboard.js';
import { startStub } from '../../support/http-server.js';
import { controlOf, useServer } from '../../support/test-server.js';
import { sampled } from '../../support/width.js';

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** How every view is looked at. All rules but one are about its structure, which is the same in both. */
const APPEARANCES = [
  { colorScheme: 'light', width: 1280, options: { resultTypes: ['violations'] } },
  { colorScheme: 'dark', width: 400, options: { runOnly: ['color-contrast', 'target-size'] } },
] as const;

/** The pixels by which the page is wider than its window, once it is drawn at its new size. */
const OVERFLOW = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() =>
  resolve(document.documentElement.scrollWidth - innerWidth))))`;

describe.skipIf(!HAS_BROWSER)('accessibility of the dashboard (needs chromium)', () => {
  const server = useServer();
  const control = controlOf(server);
  const dashboard = useDashboard(server);

  /** Fills the emulator, and returns the routes of all views with the headings of each. */
  async function seedViews(): Promise<[route: string, heading: string][]> {
    const as = { as: 'management' } as const;
    const { id: token } = await server.token({
      id: 'longer-than-the-window-'.repeat(10),
      type: 'card',
      data: { number: '4242424242424242' },
      metadata: { a: 'b' },
    });
    const code = "module.exports = async () => { console.warn('careful'); return { raw: 1 }; };";
    const reactor = (await server.post('/reactors', { name: 'charge', code, configuration: { K: 'v' } }, as))
      .body.id;
    await server.post(`/reactors/${reactor}/react`, {}, { headers: { 'SVC-TRACE-ID': 'traced' } });
    await server.get('/tokens', { as: 'public' });
    const proxy = {
      ...{ name: 'processor', destination_url: 'http://127.0.0.1:9', configuration: {} },
      require_auth: false,
    };
    const { id: proxyId } = (await server.post('/proxies', proxy, as)).body;
    const webhook = await server.post(
      '/webhooks',
      { name: 'w', url: 'http://127.0.0.1:9', events: ['token.created'] },
      as,
    );
    await server.token({ type: 'token', data: 1, expires_at: '2035-01-01T00:00:00Z' });
    await control.post('/faults', { status: 503, operation: 'tokens.search' });
    const [application] = (await server.get('/applications', as)).body.data;
    return [
      ['', 'Overview'],
      ['requests', 'Requests'],
      ['requests/new', 'New request'],
      ['requests/traced', 'Request'],
      ['log', 'Audit log'],
      ['tokens', 'Tokens'],
      ['tokens?query=(', 'Tokens'],
      ['tokens/new', 'New token'],
      [`tokens/${token}`, 'Token'],
      [`tokens/${token}/edit`, 'Edit token'],
      ['reactors', 'Reactors'],
      ['reactors/new', 'New reactor'],
      [`reactors/${reactor}`, 'charge'],
      ['proxies', 'Proxies'],
      [`proxies/${proxyId}`, 'processor'],
      ['proxies/new', 'New proxy'],
      ['webhooks', 'Webhooks'],
      ['webhooks/new', 'New webhook'],
      [`webhooks/${webhook.body.id}`, 'w'],
      ['applications', 'Applications'],
      ['applications/new', 'New application'],
      [`applications/${application.id}`, application.name],
      ['tenant', 'Tenant'],
      ['clock', 'Clock'],
      ['faults', 'Faults'],
      ['docs/expressions', 'Expressions: masks, ids, search indexes and reactor arguments'],
      ['nowhere', 'Not found'],
    ];
  }

  /** What axe finds in the page, as texts that name its state. */
  async function violations(state: string, options: object = { resultTypes: ['violations'] }) {
    const found = await dashboard.page.evaluate<Violation[]>(
      `axe.run(document, ${JSON.stringify(options)}).then((result) => result.violations)`,
    );
    return found.map(({ id, nodes }) => `${state}: ${id} ${nodes.map(({ html }) => html).join(' ')}`);
  }

  test('axe finds no violation on any view, in light and dark mode, wide and narrow', async () => {
    const { page } = dashboard;
    const views = await seedViews();
    const seenInDark = new Set(sampled(views));
    await page.evaluate(axe.source);
    const found: string[] = [];
    for (const view of views) {
      const [route, heading] = view;
      await dashboard.go(route, heading);
      await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
      for (const { colorScheme, width, options } of APPEARANCES) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        const overflow = await page.evaluate<number>(OVERFLOW);
        if (overflow > 0) found.push(`${route} at ${width}: ${overflow} pixels too wide`);
        if (colorScheme === 'dark' && !seenInDark.has(view)) continue;
        found.push(...(await violations(`${route} ${colorScheme}`, options)));
      }
    }
    expect(found).toEqual([]);
    dashboard.expectError(400);
  });

  test('axe finds no violation in what is empty, loading, failed, or asked in a dialog', async () => {
    const { page } = dashboard;
    const found: string[] = [];
    const inspect = async (state: string, shown: Locator) => {
      await shown.first().waitFor();
      found.push(...(await violations(state)));
    };
    await page.evaluate(axe.source);
    for (const [route, heading, text] of [
      ['requests', 'Requests', 'No requests yet.'],
      ['tokens', 'Tokens', 'No tokens yet.'],
      ['webhooks', 'Webhooks', 'Nothing was delivered yet.'],
      ['clock', 'Clock', 'Nothing is due.'],
    ] as const) {
      await dashboard.go(route, heading);
      await inspect(`${route}, empty`, page.getByText(text));
    }
    await page.keyboard.press('/');
    await inspect('search', page.getByRole('dialog', { name: 'Search' }));
    await page.keyboard.press('Escape');
    await dashboard.go('tenant', 'Tenant');
    await page.getByRole('button', { name: 'Reset …' }).click();
    await inspect('question', page.getByRole('dialog', { name: 'Reset' }));
    await page.keyboard.press('Escape');
    await dashboard.go('reactors/new', 'New reactor');
    await page.getByRole('button', { name: 'Create reactor' }).click();
    await page.getByLabel('Name').fill('r');
    await page.getByLabel('Runtime').fill('{');
    await page.getByRole('button', { name: 'Create reactor' }).click();
    await inspect('form, failed', page.getByRole('alert').getByText(/JSON/));
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/clock/next', (route) => held.then(() => route.continue()));
    await page.evaluate("location.hash = '#/clock'");
    await inspect('loading', page.getByLabel('Loading'));
    release();
    await page.context().setOffline(true);
    await page.evaluate("location.hash = '#/faults'");
    await inspect('not connected', page.getByRole('alert').getByText('The emulator does not respond.'));
    await page.context().setOffline(false);
    await page.unroute('**/clock/next');
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await page.evaluate(axe.source);
    await inspect('signed out', page.getByLabel('Control token', { exact: true }));
    dashboard.errors = dashboard.errors.filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED'));
    expect(found).toEqual([]);
  });

  test('the keyboard alone reaches the content, opens a view and creates a token', async () => {
    const { page } = dashboard;
    const { keyboard } = page;
    const focused = () =>
      page.evaluate<string>('document.activeElement.innerText || document.activeElement.id');
    const focusedHeading = () =>
      page.evaluate<string | null>(`document.querySelector('h1:focus')?.innerText ?? null`);
    /** A view focuses its heading when it is shown: a key pressed before that goes elsewhere. */
    const showsView = async (heading: string) => {
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      // The policy of the page forbids the evaluation that page.waitForFunction repeats there.
      await expect.poll(focusedHeading).toBe(heading);
    };
    await page.reload();
    // The first view of a visit leaves the focus where it is.
    await page.getByRole('heading', { level: 1, name: 'Overview', exact: true }).waitFor();
    await keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the content');
    await keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await page.getByRole('link', { name: 'Tokens', exact: true }).first().focus();
    await keyboard.press('Enter');
    await showsView('Tokens');
    await keyboard.press('Tab');
    expect(await focused()).toBe('New token');
    await keyboard.press('Enter');
    await showsView('New token');
    await page.getByRole('textbox', { name: 'Data', exact: true }).waitFor();
    for (const key of ['Tab', 'Tab', 'Tab', 'Tab']) await keyboard.press(key);
    await keyboard.type('"by keyboard"');
    await keyboard.press('Control+Enter');
    await showsView('Token');
    expect((await server.get('/tokens')).body.data[0].data).toBe('by keyboard');
    await page.getByRole('button', { name: 'Delete …' }).focus();
    await keyboard.press('Enter');
    expect(await focused()).toBe('Cancel');
    await keyboard.press('Escape');
    expect(await focused()).toBe('Delete …');
  });

  test('from the overview, the keyboard alone finds why a call failed, sends it again changed, and finds what a webhook loses', async () => {
    const { page } = dashboard;
    const { keyboard } = page;
    const management = { as: 'management' } as const;
    const code = `module.exports = async ({ args }) => {
      if (args.amount > 10) throw new Error('The amount is too high.');
      return { raw: 'paid' };
    };`;
    const reactor = { name: 'charge', code, configuration: {} };
    const { id } = (await server.post('/reactors', reactor, management)).body;
    const stub = await startStub({ status: 500, body: 'out of order' });
    const webhook = { name: 'billing', url: stub.url, events: ['token.created'] };
    await server.post('/webhooks', webhook, management);
    await server.post(`/reactors/${id}/react`, { args: { amount: 5000 } });
    await server.token({ type: 'token', data: 1 });
    /** Goes on with Tab until what is focused has the text. */
    const reach = async (text: string) => {
      const focused = `(({ ariaLabel, innerText, localName }) =>
        localName === 'body' ? '' : (ariaLabel ?? innerText))(document.activeElement)`;
      for (let step = 0; step < 60; step += 1) {
        if ((await page.evaluate<string>(focused)).includes(text)) return;
        await keyboard.press('Tab');
      }
      throw new Error(`Tab does not reach: ${text}`);
    };
    const failure = page.getByRole('row', { name: 'The amount is too high.' });
    await failure.getByRole('cell', { name: 'private' }).waitFor();
    await reach('The amount is too high.');
    await keyboard.press('Enter');
    await page.locator('.failing', { hasText: 'args.amount > 10' }).waitFor();
    await page.getByText('"amount": "XXXX"').waitFor();
    await reach('Send again');
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Send again' }).waitFor();
    await page.getByRole('textbox', { name: 'Body' }).waitFor();
    await reach('Body');
    await keyboard.press('Control+a');
    await keyboard.type('{ "args": { "amount": 5 } }');
    await keyboard.press('Control+Enter');
    await page.getByRole('region', { name: 'Response' }).getByText('200').waitFor();

    await keyboard.press('Control+k');
    await keyboard.type('billing');
    await keyboard.press('Enter');
    await page.getByText('0 of 1, last 500').waitFor();
    await reach('token.created');
    await keyboard.press('Enter');
    await page.getByText('out of order').first().waitFor();
    dashboard.errors = dashboard.errors.filter((error) => !error.includes('500'));
  });

  test('the colours follow light and dark mode', async () => {
    const { page } = dashboard;
    const ground = async (colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme });
      return page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    };
    expect(await ground('light')).not.toBe(await ground('dark'));
  });
});
