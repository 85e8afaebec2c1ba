import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { controlOf } from '../../support/control.js';
import { useServer } from '../../support/test-server.js';

const server = useServer();
const control = controlOf(server);

describe('the dashboard over HTTP', () => {
  test('serves a page without data, under a strict policy', async () => {
    const response = await fetch(`${server.emulator.url}/_emulator/ui`);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const page = await response.text();
    expect(page).not.toContain('<style');
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(page).not.toContain(server.emulator.controlToken);
  });

  test('the overview is masked, and reading it leaves no trace', async () => {
    await server.token({ type: 'token', data: 'plain-secret' });
    await server.token({ type: 'card', data: { number: '4242424242424242' } });
    const before = (await server.get('/logs', { as: 'management' })).body.pagination.total_items;
    const { status, body } = await control.get('/overview');
    expect(status).toBe(200);
    expect(body.tokens.newest[0].data).toEqual({ number: 'XXXXXXXXXXXX4242' });
    expect(JSON.stringify(body)).not.toMatch(/plain-secret|4242424242424242|key_|whsec_/);
    expect((await server.get('/logs', { as: 'management' })).body.pagination.total_items).toBe(before);
  });

  test('an unknown tenant is 404', async () => {
    expect((await control.get('/overview?tenant=nobody')).status).toBe(404);
  });
});

const EXECUTABLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);
describe.skipIf(!EXECUTABLE)('the dashboard in a browser (needs chromium)', () => {
  let browser: Browser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
    browser = await chromium.launch({ executablePath: EXECUTABLE ?? '', args });
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    await control.post('/reset');
    faults = [];
    page = await browser.newPage();
    page.setDefaultTimeout(10_000);
    // Whatever breaks the policy, and whatever fails, is in the console.
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.goto(server.emulator.ready.dashboard_url);
    await page.getByText('Live', { exact: true }).waitFor();
  });
  afterEach(async () => {
    await page.close();
    expect(faults).toEqual([]);
  });

  const text = (id: string) => page.locator(`#${id}`).innerText();

  test('the control token leaves the address', async () => {
    expect(page.url()).toBe(`${server.emulator.url}/_emulator/ui`);
  });

  test('requests, tokens and figures appear as they happen', async () => {
    const { id } = await server.token({ type: 'card', data: { number: '4242424242424242' } });
    await page.locator('#requests tr', { hasText: '/tokens' }).waitFor();
    await page.locator('#tokens tr', { hasText: id.slice(0, 8) }).waitFor();
    expect(await text('tokens')).toContain('XXXXXXXXXXXX4242');
    expect(await page.content()).not.toContain('4242424242424242');
    expect(await text('figure-tokens')).toBe('1');
    expect(await text('usage-label')).toMatch(/^1 of 50 /);
  });

  test('input of clients is shown as text, never as markup', async () => {
    await server.call('GET', '/<img src=x onerror=alert(1)>', {});
    await server.token({
      id: '"script"alert(1)',
      type: 'token',
      data: 1,
      mask: '<img src=x onerror=alert(1)>',
    });
    await page.locator('#tokens', { hasText: '<img src=x' }).waitFor();
    expect(await page.locator('#content img').count()).toBe(0);
  });

  test('a filter that no request matches is named as the reason', async () => {
    await server.get('/tokens');
    await page.locator('#requests tr').first().waitFor();
    await page.getByLabel('Filter requests').fill('no-such-path');
    await page.getByText('No request matches the filter.').waitFor();
    expect(await page.getByText('No requests yet.').isVisible()).toBe(false);
    await page.getByLabel('Filter requests').fill('');
    await page.locator('#requests tr').first().waitFor();
    expect(await page.getByText('No request matches the filter.').isVisible()).toBe(false);
  });

  test('the reactor log', async () => {
    const code = 'module.exports = async () => { console.warn("careful"); return {}; }';
    const reactor = { name: 'chatty', code, configuration: {} };
    const { body } = await server.post('/reactors', reactor, { as: 'management' });
    await server.post(`/reactors/${body.id}/react`, {});
    await page.locator('#logs li', { hasText: 'careful' }).waitFor();
    await page.getByRole('button', { name: 'Show the log of chatty only' }).click();
    expect(await text('logs-scope')).toBe('chatty');
  });

  test('the clock moves by a step, moves to a time and freezes', async () => {
    await page.getByRole('button', { name: '+1 day' }).click();
    await page.getByText('+1 d', { exact: true }).waitFor();
    await page.getByLabel('Duration or time').fill('2031-05-06T07:08:00Z');
    await page.getByRole('button', { name: 'Move' }).click();
    await page.getByText(/2031-05-06 07:08/).waitFor();
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByText(/frozen/).waitFor();
    expect(server.emulator.clock.frozen).toBe(true);
  });

  test('the message of a failed action stays until the next action, even if the page refreshes', async () => {
    const message = page.getByRole('alert').getByText(/90m/);
    await page.getByLabel('Duration or time').fill('soon');
    await page.getByRole('button', { name: 'Move' }).click();
    await message.waitFor();
    // The page loads the clock, the faults and the overview again.
    await control.put('/clock', { advance: '1d' });
    await page.getByText('+1 d', { exact: true }).waitFor();
    await control.post('/faults', { status: 500, operation: 'logs.list' });
    await page.getByText('logs.list: responds 500').waitFor();
    await server.token({ type: 'token', data: 1 });
    await page.locator('#tokens tr').waitFor();
    expect(await message.isVisible()).toBe(true);
    await page.getByRole('button', { name: '+1 h', exact: true }).click();
    await message.waitFor({ state: 'hidden' });
    faults = faults.filter((fault) => !fault.includes('400'));
  });

  test('a fault is added, applied and removed', async () => {
    await page.getByLabel('Operation').selectOption('tokens.list');
    await page.getByLabel('What happens').selectOption('503');
    await page.getByLabel('Times').fill('5');
    await page.getByRole('button', { name: 'Add fault' }).click();
    await page.getByText('tokens.list: responds 503, 5 more').waitFor();
    expect((await server.get('/tokens')).status).toBe(503);
    await page.getByText('tokens.list: responds 503, 4 more').waitFor();
    await page.getByRole('button', { name: /^Remove: / }).click();
    await page.getByText('No faults are injected.').waitFor();
    expect((await server.get('/tokens')).status).toBe(200);
  });

  test('reset asks for confirmation', async () => {
    await server.token({ type: 'token', data: 1 });
    await page.locator('#tokens tr').waitFor();
    await page.getByRole('button', { name: 'Reset …' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await server.get('/tokens')).body.pagination.total_items).toBe(1);
    await page.getByRole('button', { name: 'Reset …' }).click();
    await page.getByRole('button', { name: 'Reset', exact: true }).click();
    await page.getByText('No tokens yet.').waitFor();
    expect((await server.get('/tokens')).body.pagination.total_items).toBe(0);
  });

  test('a selected tenant shows its own data', async () => {
    const { body } = await control.post('/tenants', { name: 'Second shop' });
    await server.post('/tokens', { type: 'token', data: 1 }, { key: body.keys.private });
    await page.getByLabel('Tenant').selectOption({ label: 'Second shop' });
    await page.locator('#requests tr').waitFor();
    expect(await text('figure-tokens')).toBe('1');
  });

  test('every button and field has an accessible name', async () => {
    for (const control of await page.locator('button:visible, input:visible, select:visible').all()) {
      expect(await control.evaluate(accessibleName)).not.toBe('');
    }
  });

  test('the colours follow light and dark mode', async () => {
    const ground = async (colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme });
      return page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    };
    expect(await ground('light')).not.toBe(await ground('dark'));
  });

  test('a page without the control token asks for it', async () => {
    const fresh = await browser.newPage();
    await fresh.goto(`${server.emulator.url}/_emulator/ui`);
    await fresh.getByRole('textbox', { name: 'Control token' }).fill(server.emulator.controlToken);
    await fresh.getByRole('button', { name: 'Open' }).click();
    await fresh.getByText('Live', { exact: true }).waitFor();
    await fresh.close();
  });
});

/** Runs in the page. */
function accessibleName(node: unknown): string {
  const { innerText, labels, ariaLabel } = node as {
    innerText: string;
    labels: Iterable<{ innerText: string }> | null;
    ariaLabel: string | null;
  };
  const label = [...(labels ?? [])].map((one) => one.innerText).join(' ');
  return (ariaLabel ?? (label || innerText)).trim();
}
