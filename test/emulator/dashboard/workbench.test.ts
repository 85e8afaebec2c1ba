import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { HAS_BROWSER } from '../../support/browser.js';
import { useDashboard } from '../../support/dashboard.js';
import { startStub } from '../../support/http-server.js';
import { controlOf, createReactor, react, useServer } from '../../support/test-server.js';
import { width } from '../../support/width.js';

/** What one view does on top of what the other tests do; a second of the browser's work each. */
const whenFull = test.runIf(width(false, true));

const CARD = { number: '4242424242424242', expiration_month: 12, expiration_year: 2031 };

describe.skipIf(!HAS_BROWSER)('the dashboard in a browser (needs chromium)', () => {
  const server = useServer();
  const control = controlOf(server);
  const dashboard = useDashboard(server);
  const button = (name: string | RegExp) => dashboard.page.getByRole('button', { name, exact: true });
  const text = (content: string | RegExp, options = {}) => dashboard.page.getByText(content, options);
  const alert = (content: string | RegExp) => dashboard.page.getByRole('alert').getByText(content);
  const shows = (name: string) =>
    dashboard.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

  test('the first view is at most 150 KB compressed; the editor comes with a view that needs it', async () => {
    const { page } = dashboard;
    const scripts = () =>
      page.evaluate<string[]>(
        "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))",
      );
    await page.getByRole('region', { name: 'Connect' }).waitFor();
    const first = await scripts();
    const sizes = first.map(async (url) => gzipSync(await (await fetch(url)).text()).length);
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size)).toBeLessThan(150_000);
    await dashboard.go('reactors/new', 'New reactor');
    const code = page.getByLabel('Code');
    expect(await code.locator('.tok-keyword').first().innerText()).toBe('async');
    const added = (await scripts()).filter((url) => !first.includes(url));
    expect(added).toEqual([`${server.emulator.url}/_emulator/ui/editor.js`]);
    // What is typed replaces what is selected, without a style that the policy of the page would refuse.
    await code.press('Control+a');
    await page.keyboard.type('let a;');
    expect(await code.innerText()).toBe('let a;');
  });

  test('requests, tokens and figures appear as they happen, and no zero before', async () => {
    const { page } = dashboard;
    const figures = page.getByLabel('Figures');
    await page.goto('about:blank');
    // Held when the figures are first loaded: what follows may be true zeros that are loaded again.
    let hold = (_route: Route) => {};
    const held = new Promise<Route>((resolve) => {
      hold = resolve;
    });
    await page.route('**/_emulator/overview?tenant=*', (route) => hold(route), { times: 1 });
    await page.goto(`${server.emulator.url}/_emulator/ui`);
    const route = await held;
    expect(await figures.getByRole('definition').allInnerTexts()).not.toContain('0');
    await route.continue();
    await figures.getByText('0', { exact: true }).first().waitFor();
    const { id } = await server.token({ type: 'card', data: CARD });
    await page.getByRole('link', { name: 'POST /tokens' }).waitFor();
    await text(/^1 of 50 /).waitFor();
    await dashboard.go('tokens', 'Tokens');
    await page.getByRole('row', { name: id.slice(0, 8) }).waitFor();
    expect(await page.content()).toContain('XXXXXXXXXXXX4242');
    expect(await page.content()).not.toContain(CARD.number);
  });

  test('input of clients is shown as text, never as markup', async () => {
    const { page } = dashboard;
    const markup = '<img src=x onerror=alert(1)>';
    await server.call('GET', `/${markup}`, {});
    const id = '"script"alert(1)';
    await server.token({ id, type: 'token', data: 1, mask: markup, metadata: { [markup]: markup } });
    const code = `// ${markup}\nmodule.exports = async () => console.log('${markup}');`;
    const reactor = await createReactor(server, code, { name: markup });
    await react(server, reactor);
    const application = { name: markup, type: 'private', permissions: [] };
    await server.post('/applications', application, { as: 'management' });
    const token = 'tokens/%22script%22alert(1)';
    const views = ['', 'requests', 'tokens', token, 'reactors', `reactors/${reactor}`, 'applications'];
    for (const view of views) {
      await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}`)}`);
      await text(view === 'requests' ? 'GET' : '<img src=x')
        .first()
        .waitFor();
      expect(await page.locator('img, main script').count()).toBe(0);
    }
  });

  test('a key opens the search, which finds views, objects by name and requests by trace ID', async () => {
    const { page } = dashboard;
    const id = await createReactor(server, 'module.exports = async () => ({ raw: 1 });');
    const { name } = (await server.get(`/reactors/${id}`, { as: 'management' })).body;
    await server.call('GET', '/tokens', { headers: { 'SVC-TRACE-ID': 'find-me' } });
    const dialog = page.getByRole('dialog', { name: 'Search' });
    // There is nothing to search until the tenants are known.
    await button('Search /').waitFor();
    for (const [key, words, address] of [
      ['/', 'audit', '#/log'],
      ['Control+k', name, `#/reactors/${id}`],
      ['?', 'find-me', '#/requests/find-me'],
      ['/', 'type:card', '#/tokens/type%3Acard'],
    ] as const) {
      await page.keyboard.press(key);
      await dialog.getByRole('searchbox').fill(words);
      await dialog.locator(`li:first-child a[href="${address}"]`).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForFunction(`location.hash === ${JSON.stringify(address)}`);
    }
  });

  test('what needs attention is counted beside its view and in the chart', async () => {
    const { page } = dashboard;
    await server.get('/tokens/none');
    await page.getByRole('link', { name: 'Requests 1 failed' }).waitFor();
    await page.getByRole('img', { name: 'Requests over time: 1 request, 1 failed' }).waitFor();
    await control.post('/faults', { status: 503, operation: 'tokens.search' });
    await page.getByRole('link', { name: 'Faults 1 active' }).waitFor();
  });

  test('times are distances, in UTC or local, and the choice and that of the theme stay', async () => {
    const { page } = dashboard;
    await server.get('/tokens');
    const row = page.getByRole('row', { name: 'GET /tokens' });
    await row.getByText(/^(now|\d+ s ago)$/).waitFor();
    await page.getByLabel('Show time as').selectOption('UTC');
    await page.getByLabel('Theme').selectOption('dark');
    await row.getByText(/^\d\d:\d\d:\d\d\.\d{3}$/).waitFor();
    await page.reload();
    await row.getByText(/^\d\d:\d\d:\d\d\.\d{3}$/).waitFor();
    expect(await page.evaluate('getComputedStyle(document.body).colorScheme')).toBe('dark');
  });

  test('a view has an address, and the back button goes to the view before', async () => {
    const { page } = dashboard;
    await page.getByRole('link', { name: 'Faults', exact: true }).click();
    await shows('Faults');
    expect(page.url()).toMatch(/#\/faults$/);
    expect(await page.title()).toBe('Faults · tokenctl emulator');
    await page.getByRole('link', { name: 'Clock', exact: true }).click();
    await shows('Clock');
    await page.goBack();
    await shows('Faults');
    await page.reload();
    await shows('Faults');
  });

  test('a token is created, found, revealed on a click, changed and deleted', async () => {
    const { page } = dashboard;
    await dashboard.go('tokens/new', 'New token');
    await page.getByLabel('Type').selectOption('card');
    await page.getByLabel('Data', { exact: true }).getByText('"4242424242424242"').waitFor();
    await page.getByLabel('Data', { exact: true }).fill(JSON.stringify(CARD));
    await page.getByLabel('Metadata').fill('order=7');
    await button('As JSON').click();
    const json = JSON.parse(await page.getByLabel('JSON').innerText());
    expect(json).toMatchObject({ type: 'card', metadata: { order: '7' } });
    await page.getByLabel('JSON').fill(JSON.stringify({ ...json, metadata: { order: '7', note: 'first' } }));
    await button('As a form').click();
    expect(await page.getByLabel('Metadata').inputValue()).toBe('order=7\nnote=first');
    await button('Create token').click();
    await shows('Token');
    await text('XXXXXXXXXXXX4242').waitFor();
    expect(await page.content()).not.toContain(CARD.number);

    await button('Reveal, may show token data').click();
    await text(CARD.number).waitFor();
    await button('Mask again').click();
    await text('XXXXXXXXXXXX4242').waitFor();
    expect(await page.content()).not.toContain(CARD.number);

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Metadata').fill('order=8');
    await button('Save').click();
    await shows('Token');
    const { body } = await server.get('/tokens');
    expect(body.data[0]).toMatchObject({ data: { number: CARD.number }, metadata: { order: '8' } });
    expect(body.data[0].metadata).not.toHaveProperty('note');

    await dashboard.go('tokens', 'Tokens');
    const search = page.getByRole('searchbox', { name: 'Search with a Lucene query' });
    await search.fill('metadata.order:7');
    await search.press('Enter');
    await text('No token matches the query.').waitFor();
    await search.fill('metadata.order:8');
    await button('Search').click();
    await page.getByRole('cell', { name: 'order 8' }).waitFor();
    await search.fill('order:(');
    await search.press('Enter');
    await alert(/query/).waitFor();
    dashboard.expectError(400);

    await dashboard.go(`tokens/${body.data[0].id}`, 'Token');
    await button('Delete …').click();
    await button('Delete').click();
    await text('The token is deleted.').waitFor();
    expect((await server.get('/tokens')).body.data).toEqual([]);
  });

  test('data that is not valid is named, and what was typed stays', async () => {
    const { page } = dashboard;
    await dashboard.go('tokens/new', 'New token');
    await page.getByLabel('Data', { exact: true }).fill('4242 secret');
    await button('Create token').click();
    await alert(/Data is not valid JSON at line 1, column 6/).waitFor();
    expect(await page.getByRole('alert').allInnerTexts()).not.toContain('secret');
    expect(await page.getByLabel('Data', { exact: true }).innerText()).toBe('4242 secret');
    await page.getByLabel('Type').selectOption('card');
    await page.getByLabel('Data', { exact: true }).fill('{ "number": "1" }');
    await button('Create token').click();
    await alert(/data\.number/).waitFor();
    dashboard.expectError(400);
  });

  whenFull('requests are filtered and paused, and a filter that nothing matches is named', async () => {
    const { page } = dashboard;
    await dashboard.go('requests', 'Requests');
    await text('No requests yet.').waitFor();
    await server.get('/tokens');
    await page.getByRole('link', { name: 'GET /tokens' }).waitFor();
    await page.getByLabel('Filter requests').fill('no-such-path');
    await text('No request matches the filter.').waitFor();
    await page.getByLabel('Filter requests').fill('');
    await button('Pause').click();
    await server.get('/tokens/unknown');
    await button('Resume').click();
    await page.getByRole('link', { name: 'GET /tokens/unknown' }).waitFor();
    await page.getByLabel('Outcome').selectOption('failed');
    await page.getByRole('link', { name: 'GET /tokens', exact: true }).waitFor({ state: 'detached' });
    expect(page.url()).toContain('status=failed');
  });

  test('many requests are shown in the rows that are there, some times a second and not once each', async () => {
    const { page } = dashboard;
    const send = (count: number) => Promise.all(Array.from({ length: count }, () => server.get('/tokens')));
    await dashboard.go('requests', 'Requests');
    await send(60);
    await text('1–50 of 60 requests').waitFor();
    await page.evaluate(`
      window.seen = { renders: 0, rows: 0, from: performance.now() };
      new MutationObserver((changes) => {
        seen.renders += 1;
        for (const { addedNodes } of changes) seen.rows += [...addedNodes].filter((one) => one.matches?.('tr')).length;
      }).observe(document.querySelector('main'), { childList: true, characterData: true, subtree: true });
    `);
    for (let round = 0; round < 10; round += 1) await send(50);
    await text('1–50 of 560 requests').waitFor();
    const { renders, rows, ms } = await page.evaluate<Record<string, number>>(
      '({ ...seen, ms: performance.now() - seen.from })',
    );
    expect(rows).toBe(0);
    // Each 200 ms for events, each second for relative times.
    expect(renders).toBeLessThanOrEqual((ms ?? 0) / 200 + (ms ?? 0) / 1_000 + 2);
    expect(await page.getByRole('row').count()).toBe(51);
  });

  test('a request shows its application and why it was refused, and is sent again', async () => {
    const { page } = dashboard;
    await server.get('/tokens', { as: 'public', headers: { 'SVC-TRACE-ID': 'refused-1' } });
    await dashboard.go('requests/refused-1', 'Request');
    await text(/token:read/)
      .first()
      .waitFor();
    await text('Forbidden', { exact: true }).waitFor();
    await text('The application holds token:create, token:update, token-intent:create').waitFor();
    await page.getByRole('region', { name: 'Decision' }).getByText('refused').waitFor();
    await server.token({ type: 'card', data: CARD });
    await page.getByRole('link', { name: 'Send again …' }).click();
    await button('Send').click();
    await text('"number": "XXXXXXXXXXXXXXXX"').waitFor();
    await text('"total_items": 1').waitFor();
    expect(await page.content()).not.toContain(CARD.number);
    await button('Reveal, may show token data').click();
    await text(CARD.number).first().waitFor();
  });

  whenFull('a request shows its masked body, which is where sending it again starts', async () => {
    const { page } = dashboard;
    const headers = { 'SVC-TRACE-ID': 'posted-1' };
    await server.post('/tokens', { type: 'card', data: CARD, metadata: { order: '7' } }, { headers });
    await dashboard.go('requests/posted-1', 'Request');
    await page.getByRole('region', { name: 'Request' }).getByText('"order": "7"').waitFor();
    await page.getByRole('region', { name: 'Response' }).getByText('"number": "XXXXXXXXXXXXXXXX"').waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button('Copy as tokenctl').click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
      /^tokenctl api POST \/tokens --data '/,
    );
    expect(await page.content()).not.toContain(CARD.number);
    await page.getByRole('link', { name: 'Send again …' }).click();
    const body = page.getByRole('textbox', { name: 'Body' });
    await body.getByText('"metadata"').waitFor();
    expect(await body.innerText()).not.toContain(CARD.number);
    await body.fill('{ "type": "token", "data": "again" }');
    await button('Send').click();
    await page.getByRole('region', { name: 'Response' }).getByText('201').waitFor();
    expect((await server.get('/tokens')).body.pagination.total_items).toBe(2);
  });

  test('a reactor is written, invoked and traced; its result is masked until it is revealed', async () => {
    const { page } = dashboard;
    const stub = await startStub({ body: { ok: true } });
    const token = await server.token({ type: 'card', data: CARD });
    await dashboard.go('reactors/new', 'New reactor');
    await page.getByLabel('Name').fill('charge');
    await page.getByLabel('Code').fill(`module.exports = async ({ args, configuration }) => {
      console.warn('careful');
      await fetch(configuration.URL, { method: 'POST', body: JSON.stringify(args) });
      return { raw: args.card };
    };`);
    await page.getByLabel('Configuration').fill(`URL=${stub.url}`);
    await button('Create reactor').click();
    await shows('charge');
    const definition = page.getByRole('region', { name: 'Definition' });
    expect(await definition.innerText()).toContain('URL ••••••');
    expect(await definition.innerText()).not.toContain(stub.url);
    await page.getByLabel('Arguments').fill(JSON.stringify({ card: `{{ ${token.id} }}` }));
    await page.getByLabel('Arguments').press('Control+Enter');
    const phases = page.getByRole('region', { name: 'Invocation', exact: true }).getByRole('listitem');
    await phases.filter({ hasText: 'run the function' }).waitFor();
    await phases.filter({ hasText: 'POST' }).waitFor();
    await phases.filter({ hasText: 'careful' }).waitFor();
    expect(await page.content()).not.toContain(CARD.number);
    await button('Reveal, may show token data').click();
    await text(CARD.number).waitFor();
    await page.getByRole('region', { name: 'Console' }).getByText('careful').waitFor();
  });

  test('a webhook is created, and what it got is shown and sent again', async () => {
    const { page } = dashboard;
    const stub = await startStub({ body: {} });
    await dashboard.go('webhooks/new', 'New webhook');
    await page.getByLabel('Name').fill('orders');
    await page.getByLabel('URL').fill(stub.url);
    await button('Create webhook').click();
    await shows('orders');
    await button('Ping orders').click();
    await text('An event is on its way.').waitFor();
    await server.token({ type: 'token', data: 1 });
    const attempts = page
      .getByRole('table', { name: 'Deliveries' })
      .getByRole('row', { name: 'token.created' });
    await attempts.first().waitFor();
    await attempts.locator('summary').first().click();
    await attempts.getByText('"type": "token.created"').waitFor();
    await button(/^Send again: token\.created /).click();
    await text('The token.created is on its way.').waitFor();
    await attempts.nth(1).waitFor();
    await dashboard.go('webhooks', 'Webhooks');
    await page.getByRole('row', { name: 'orders' }).getByText('3 of 3').waitFor();
  });

  test('a reactor that fails shows its message without token data, its line, and the names of its arguments', async () => {
    const { page } = dashboard;
    const token = await server.token({ type: 'card', data: CARD });
    const code = `module.exports = async ({ args }) => {
      if (!args.order) throw new Error('no order for ' + args.card.number + ', last ' + args.card.number.slice(-4));
    };`;
    const id = await createReactor(server, code);
    const headers = { 'SVC-TRACE-ID': 'thrown-1' };
    await react(server, id, { card: `{{ ${token.id} }}`, amount: 5 }, { headers });
    await dashboard.go('requests/thrown-1', 'Request');
    await text('Error: no order for XXXXXXXXXXXXXXXX, last XXXX', { exact: true }).first().waitFor();
    await text('Reactor Runtime Error', { exact: true }).waitFor();
    const failing = page.getByRole('textbox', { name: 'The code that failed' }).locator('.failing');
    expect(await failing.innerText()).toContain('if (!args.order)');
    await text(`"card": "{{ ${token.id} }}"`).waitFor();
    await text('"amount": "X"').waitFor();
    expect(await page.content()).not.toMatch(/last 4242|4242424242/);
  });

  test('a webhook that answers 500 shows what it lost, its answers, and what waits behind an event of its entity', async () => {
    const { page } = dashboard;
    const stub = await startStub({ status: 500, body: 'The queue 4242424242424242 is full.' });
    const webhook = { name: 'orders', url: stub.url, events: ['token.created', 'token.updated'] };
    await server.post('/webhooks', webhook, { as: 'management' });
    await control.put('/clock', { frozen: true });
    const { id } = await server.token({ type: 'token', data: 1 });
    await server.patch(`/tokens/${id}`, { metadata: { order: '1' } });
    await dashboard.go('webhooks', 'Webhooks');
    await page.getByRole('row', { name: 'orders' }).getByText('0 of 1, last 500').waitFor();
    await page.getByRole('link', { name: 'orders' }).first().click();
    await shows('orders');
    const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
    const created = rows.filter({ hasText: 'token.created' }).filter({ hasText: '500' });
    await created.locator('[data-label="Next attempt"] time').waitFor();
    await created.locator('summary').click();
    await created.getByText(/The queue X+ is full/).waitFor();
    const updated = rows.filter({ hasText: 'token.updated' });
    await updated.getByText('waits behind token.created of the same entity').waitFor();
    const [first, second] = (await control.get('/deliveries')).body.deliveries;
    expect(first).not.toHaveProperty('waits_behind');
    expect(second.waits_behind).toEqual({ event_id: first.event_id, event_type: 'token.created' });
  });

  test('a reactor shows its invocations by outcome, each leading to the last, and the instances that run it', async () => {
    const { page } = dashboard;
    const id = await createReactor(server, 'module.exports = async ({ args }) => ({ raw: args.a.b });', {
      name: 'pay',
    });
    await react(server, id, { a: { b: 1 } });
    await react(server, id, {}, { headers: { 'SVC-TRACE-ID': 'last-failure' } });
    await dashboard.go('reactors', 'Reactors');
    const row = page.getByRole('row', { name: 'pay' });
    await row.getByRole('link', { name: '200 × 1' }).waitFor();
    await page
      .getByRole('region', { name: 'Instances' })
      .getByText(/^[1-9]\d* MiB$/)
      .waitFor();
    await row.getByRole('link', { name: '500 × 1' }).click();
    await shows('Request');
    expect(page.url()).toMatch(/last-failure$/);
  });

  test('a reload loses nothing that was typed, except for what is secret, which the browser does not store', async () => {
    const { page } = dashboard;
    const typed = async () => [
      await page.getByLabel('Name').inputValue(),
      await page.getByLabel('Configuration').inputValue(),
    ];
    await dashboard.go('reactors/new', 'New reactor');
    await page.getByLabel('Name').fill('half-written');
    await page.getByLabel('Configuration').fill('KEY=sk_live_secret');
    await page.reload();
    await expect.poll(typed).toEqual(['half-written', '']);
    await dashboard.go('tokens/new', 'New token');
    await page.getByLabel('Data', { exact: true }).fill(JSON.stringify(CARD));
    await page.getByLabel('Metadata').fill('order=8');
    await page.reload();
    await expect.poll(() => page.getByLabel('Metadata').inputValue()).toBe('order=8');
    await page.getByRole('button', { name: 'As JSON' }).click();
    await page.getByLabel('JSON').fill(JSON.stringify({ data: CARD, metadata: { order: '9' } }));
    await page.getByLabel('JSON').fill('{ "half');
    await page.reload();
    await expect.poll(() => page.getByLabel('Metadata').inputValue()).toBe('order=9');
    const stored = await page.evaluate(
      'JSON.stringify([Object.values(sessionStorage), Object.values(localStorage)])',
    );
    expect(stored).not.toMatch(/sk_live_secret|4242424242/);
    await page.getByRole('link', { name: 'Cancel' }).click();
    // Two changes of the address before the page is drawn again would leave the form as it is.
    await shows('Tokens');
    await dashboard.go('tokens/new', 'New token');
    expect(await page.getByLabel('Metadata').inputValue()).toBe('');
  });

  test('an application is created, its rules and a new key are shown', async () => {
    const { page } = dashboard;
    await dashboard.go('applications/new', 'New application');
    await page.getByLabel('Name').fill('backend');
    const permissions = ['token:read', 'token:search'];
    const rule = { priority: 1, container: '/pci/high/', transform: 'mask', permissions };
    await page.getByLabel('Rules').fill(JSON.stringify([rule]));
    await button('Create application').click();
    await shows('backend');
    await page.getByRole('cell', { name: '/pci/high/' }).waitFor();
    await button('New key').click();
    const key = await page.getByRole('status').locator('code').innerText();
    await server.token({ type: 'card', data: CARD });
    expect((await server.get('/tokens', { key })).body.data[0].data.number).toBe('XXXXXXXXXXXX4242');
  });

  whenFull('the audit log leads from a token to who used it', async () => {
    const { page } = dashboard;
    const { id } = await server.token({ type: 'token', data: 1 });
    await dashboard.go(`tokens/${id}`, 'Token');
    await page.getByRole('main').getByRole('link', { name: 'Audit log' }).click();
    await page
      .getByRole('row', { name: 'create' })
      .getByRole('link', { name: 'private', exact: true })
      .waitFor();
    expect(await page.getByLabel('Entity ID').inputValue()).toBe(id);
    await page.getByLabel('Operation').selectOption('delete');
    await text('No entries.').waitFor();
  });

  test('the clock moves by a step and to a time, and freezes', async () => {
    const { page } = dashboard;
    await dashboard.go('clock', 'Clock');
    await button('+1 day').click();
    await page.getByRole('link', { name: 'clock +1 d' }).waitFor();
    await page.getByLabel('Duration or time').fill('2031-05-06T07:08:00Z');
    await button('Move').click();
    await text(/2031-05-06 07:08/).waitFor();
    await button('Back to the start').click();
    await page.getByRole('link', { name: /clock/ }).waitFor({ state: 'detached' });
    await button('Freeze').click();
    await page.getByRole('link', { name: /frozen/ }).waitFor();
    expect(server.emulator.clock.frozen).toBe(true);
  });

  whenFull('the clock goes to what becomes due, such as the expiry of a token', async () => {
    const { id } = await server.token({ type: 'token', data: 1, expires_at: '2035-01-01T00:00:00Z' });
    await dashboard.go('clock', 'Clock');
    await button(`Go there: ${id}`).click();
    await text('Nothing is due.').waitFor();
    expect((await server.get(`/tokens/${id}`)).status).toBe(404);
  });

  whenFull('a fault is added, applied and removed', async () => {
    const { page } = dashboard;
    await dashboard.go('faults', 'Faults');
    await page.getByLabel('Operation').selectOption('tokens.list');
    await page.getByLabel('Status').fill('503');
    await page.getByLabel('Times').fill('5');
    await button('Add fault').click();
    await text('tokens.list: responds 503, 5 more').waitFor();
    expect((await server.get('/tokens')).status).toBe(503);
    await text('tokens.list: responds 503, 4 more').waitFor();
    await page.getByRole('link', { name: 'Faults 1 active' }).waitFor();
    await button(/^Remove: /).click();
    await text('No faults are injected.').waitFor();
    expect((await server.get('/tokens')).status).toBe(200);
  });

  test('tokens are filtered by chips that write the query, sorted, and their columns chosen', async () => {
    const { page } = dashboard;
    for (const order of ['2', '10', '1'])
      await server.token({ type: 'token', data: 1, metadata: { order, shop: 'a "b"' } });
    await server.token({ type: 'card', data: CARD, metadata: { order: '3' } });
    await dashboard.go('tokens', 'Tokens');
    const rows = page.getByRole('table', { name: 'Tokens' }).getByRole('row');
    const query = page.getByRole('searchbox', { name: 'Search with a Lucene query' });
    await page.getByRole('link', { name: 'type:token', exact: true }).click();
    await page.getByRole('link', { name: 'Remove type:token' }).waitFor();
    await rows.getByRole('link', { name: 'a "b"' }).first().click();
    await page.getByRole('link', { name: 'Remove metadata.shop:' }).waitFor();
    expect(await query.inputValue()).toBe('type:token AND metadata.shop:"a \\"b\\""');
    await page.getByRole('columnheader', { name: 'Metadata' }).getByRole('link').click();
    await page.locator('th[aria-sort=ascending]').waitFor();
    await expect
      .poll(() => rows.locator('[data-label=Metadata] div:first-child').allInnerTexts())
      .toEqual(['order 1', 'order 2', 'order 10']);
    await page.getByRole('columnheader', { name: 'Metadata' }).getByRole('link').click();
    await expect.poll(() => rows.nth(1).innerText()).toContain('order 10');
    await page.getByRole('link', { name: 'Remove type:token' }).click();
    await page.getByRole('link', { name: 'Remove metadata.shop:' }).click();
    await rows.nth(4).waitFor();
    await text('Columns').click();
    await page.getByRole('checkbox', { name: 'Fingerprint' }).check();
    await page.getByRole('checkbox', { name: 'Masked data' }).uncheck();
    await page.reload();
    await page.getByRole('columnheader', { name: 'Fingerprint' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Masked data' }).count()).toBe(0);
  });

  test('tokens that are selected are exported masked, and deleted after a question', async () => {
    const { page } = dashboard;
    const [kept] = [await server.token({ type: 'token', data: 1 })];
    for (let count = 0; count < 2; count += 1) await server.token({ type: 'card', data: CARD });
    await dashboard.go('tokens', 'Tokens');
    await page.getByLabel('All on this page').check();
    await page.getByLabel(`Select ${kept.id}`).uncheck();
    const exportButton = button('Export 2 tokens, masked');
    const [download] = await Promise.all([page.waitForEvent('download'), exportButton.click()]);
    const exported = await readFile((await download.path()) ?? '', 'utf8');
    expect(JSON.parse(exported)).toMatchObject([1, 2].map(() => ({ data: { number: 'XXXXXXXXXXXX4242' } })));
    await button('Delete 2 tokens …').click();
    await page.getByRole('heading', { name: 'Delete 2 tokens?' }).waitFor();
    await button('Delete 2 tokens').click();
    await text('The tokens are deleted.').waitFor();
    const left = (await server.get('/tokens')).body.data;
    expect(left.map(({ id }: { id: string }) => id)).toEqual([kept.id]);
  });

  test('every view leads to its page of the documentation, which is searched, and to its command', async () => {
    const { page } = dashboard;
    await dashboard.go(`tokens?query=${encodeURIComponent('id:"it\'s"')}`, 'Tokens');
    await text(`tokenctl token search 'id:"it'\\''s"'`, { exact: true }).waitFor();
    await dashboard.go(`tokens?query=${encodeURIComponent('metadata.a:b&c')}`, 'Tokens');
    await text("tokenctl token search 'metadata.a:b&c'", { exact: true }).waitFor();
    await dashboard.go('webhooks', 'Webhooks');
    await text('tokenctl webhook list', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Docs', exact: true }).click();
    await page.getByRole('heading', { name: 'The emulator', level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
    await page.getByLabel('Search the documentation').fill('reveal_last mask');
    await page.getByRole('link', { name: 'Masking' }).click();
    await page.getByRole('heading', { name: 'Masking' }).waitFor();
    await page.goto(`${server.emulator.url}/_emulator/ui/docs`);
    await page.getByRole('link', { name: 'The command line' }).waitFor();
    expect(page.url()).toBe(`${server.emulator.url}/_emulator/ui#/docs`);
  });

  test('the usage has a forecast for the end of the month, by the clock of the tenant', async () => {
    await control.put('/clock', { now: '2031-04-11T00:00:00Z' });
    for (let count = 0; count < 20; count += 1) await server.token({ type: 'token', data: count });
    await text('At this pace, 60 by the end of the month: 10 more than included.').waitFor();
  });

  test('keys are copied, and no view shows them', async () => {
    const { page } = dashboard;
    const { keys } = server.emulator;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button('Copy the key private').click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(keys.private);
    await button('Copy the .env file').click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      `\nPUBLIC_API_KEY=${keys.public}`,
    );
    expect(await page.content()).not.toContain(keys.private);
  });

  test('reset asks for confirmation', async () => {
    await server.token({ type: 'token', data: 1 });
    await dashboard.go('tenant', 'Tenant');
    await button('Reset …').click();
    await button('Cancel').first().click();
    expect((await server.get('/tokens')).body.pagination.total_items).toBe(1);
    await button('Reset …').click();
    await button('Reset').click();
    await text('It is as after its first start.').waitFor();
    expect((await server.get('/tokens')).body.pagination.total_items).toBe(0);
  });

  test('a selected tenant shows its own data', async () => {
    const { page } = dashboard;
    const { body } = await control.post('/tenants', { name: 'Second shop' });
    const { id } = await server
      .post('/tokens', { type: 'token', data: 1 }, { key: body.keys.private })
      .then((one) => one.body);
    await page.getByLabel('Tenant', { exact: true }).selectOption({ label: 'Second shop' });
    await page.getByRole('link', { name: 'POST /tokens' }).waitFor();
    await server.token({ id: 'of-the-first', type: 'token', data: 1 });
    await dashboard.go('tokens', 'Tokens');
    await page.getByRole('row', { name: id.slice(0, 8) }).waitFor();
    expect(await page.content()).not.toContain('of-the-first');
  });

  whenFull('with several tenants, clock and faults are those of the chosen one', async () => {
    const { page } = dashboard;
    const { body } = await control.post('/tenants', { name: 'Second shop' });
    await page.reload();
    await page.getByLabel('Tenant', { exact: true }).selectOption({ label: 'Second shop' });
    await dashboard.go('clock', 'Clock');
    await button('+1 day').click();
    await page.getByRole('link', { name: 'clock +1 d' }).waitFor();
    expect((await control.get('/clock')).body.offset_ms).toBe(0);
    await dashboard.go('faults', 'Faults');
    await button('Add fault').click();
    await text('every request: responds 500').waitFor();
    expect((await server.get('/tokens')).status).toBe(200);
    expect((await server.get('/tokens', { key: body.keys.private })).status).toBe(500);
  });

  test('a connection that is lost is opened again', async () => {
    const { page } = dashboard;
    await page.context().setOffline(true);
    await page.evaluate('location.hash = "#/faults"');
    await alert('The emulator does not respond.').waitFor();
    await page.context().setOffline(false);
    await button('Try again').click();
    await text('No faults are injected.').waitFor();
    dashboard.errors = dashboard.errors.filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED'));
  });

  test('a page without the control token asks for it', async () => {
    const fresh = await dashboard.browser.newPage();
    await fresh.goto(`${server.emulator.url}/_emulator/ui#/tokens`);
    const field = fresh.getByLabel('Control token', { exact: true });
    await field.fill('wrong');
    await fresh.getByRole('button', { name: 'Open' }).click();
    await fresh.getByText('The control token is not accepted.').waitFor();
    await field.fill(server.emulator.controlToken);
    await fresh.getByRole('button', { name: 'Open' }).click();
    await fresh.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
    await fresh.close();
  });

  test('the address with the control token signs in, in the tab that asks for it as well, and loses the token', async () => {
    const fresh = await dashboard.browser.newPage();
    const address = `${server.emulator.url}/_emulator/ui`;
    await fresh.goto(address);
    await fresh.getByLabel('Control token', { exact: true }).waitFor();
    await fresh.goto(`${address}#token=${server.emulator.controlToken}`);
    await fresh.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(fresh.url()).toBe(address);
    await fresh.close();
  });
});
