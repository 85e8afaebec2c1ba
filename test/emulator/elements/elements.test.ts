import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HAS_BROWSER, launchBrowser } from '../../support/browser.js';
import { useStub } from '../../support/http-server.js';
import { PATIENCE } from '../../support/patience.js';
import { copyShop } from '../../support/shop.js';
import { useServer } from '../../support/test-server.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const NUMBER = '4242424242424242';
const server = useServer({ allowOrigins: ['http://127.0.0.1:*'] });
const frameUrl = (query: string) => `${server.emulator.url}/elements/frame?${query}`;

test('the frames of elements are shown on pages of one allowed origin only, under a strict policy', async () => {
  const response = await fetch(frameUrl('type=card&origin=http://127.0.0.1:3000'));
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/frame-ancestors http:\/\/127\.0\.0\.1:3000$/);
  expect(policy).not.toMatch(/unsafe|\*/);
});

test.each([
  'type=card',
  'type=card&origin=https://evil.example',
  'type=card&origin=http://127.0.0.1:*',
  'type=card&origin=*',
  'type=card&origin=null',
  'type=card&origin=http://127.0.0.1:3000;%20script-src%20*',
  'type=card&origin=http://127.0.0.1:3000&origin=http://127.0.0.1:3001',
])('the frames of elements are refused with 403: %s', async (query) => {
  expect((await fetch(frameUrl(query))).status).toBe(403);
});

test('the frames of elements: the script uses the header prefix of the emulator', async () => {
  expect(await (await fetch(`${server.emulator.url}/elements.js`)).text()).toContain("'SVC-API-KEY'");
});

describe.skipIf(!HAS_BROWSER)('a shop with elements, in Chromium (needs chromium)', () => {
  let browser: Browser;
  let page: Page;
  let shop: ChildProcess;
  let shopUrl: string;
  let directory: string;
  const processor = useStub({ body: { charge: 'ch_1' } });

  beforeAll(async () => {
    const { url, keys } = server.emulator;
    const proxy = { name: 'pay', destination_url: processor.url };
    await server.post('/proxies', proxy, { key: keys.management });
    directory = await copyShop();
    await symlink(ROOT, join(directory, 'node_modules/tokenctl'));
    shop = spawn(process.execPath, [join(directory, 'server.js')], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        TOKENCTL_BASE_URL: url,
        TOKENCTL_PRIVATE_KEY: keys.private,
        TOKENCTL_MANAGEMENT_KEY: keys.management,
        TOKENCTL_PUBLIC_KEY: keys.public,
      },
    });
    const [line] = (await once(shop.stdout ?? shop, 'data')) as [Buffer];
    shopUrl = line.toString().trim();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    shop?.kill();
    await rm(directory, { recursive: true, force: true });
  });

  beforeEach(async () => {
    page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE.timeout);
    // Everything that reaches the scripts of the page from a frame.
    await page.addInitScript(
      `window.seen = []; addEventListener('message', ({ data }) => seen.push(JSON.stringify(data)));`,
    );
    await page.goto(shopUrl);
    await field('Card number').waitFor();
  });
  afterEach(() => page.close());

  const field = (label: string) => page.frameLocator('#card iframe').getByLabel(label);
  const seen = () => page.evaluate<string>('seen.join()');

  /** The key of the session of the shop creates intents only. */
  const usePublicKey = () => page.evaluate(`SvcElements.init('${server.emulator.keys.public}')`);

  async function fill(number = NUMBER) {
    await field('Card number').fill(number);
    await field('Expiration date').fill('12 / 31');
    await field('Security code').fill('737');
  }

  test('takes a card and pays, and neither page nor server of the shop sees the number', async () => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.frame() === page.mainFrame()) sent.push(`${request.url()} ${request.postData()}`);
    });
    const pay = page.getByRole('button', { name: 'Pay' });
    await field('Card number').fill('4242');
    expect(await pay.isDisabled()).toBe(true);
    await fill();
    await pay.click();
    await page.getByText('Paid: ch_1').waitFor();
    expect(processor.requests.at(-1)?.body).toBe(`{"amount":1999,"number":"${NUMBER}"}`);
    expect(await seen()).toContain('"cardBrand":"visa"');
    expect(await seen()).not.toMatch(new RegExp(`${NUMBER}|"737"`));
    expect(sent.join()).not.toContain(NUMBER);
    expect(await field('Card number').inputValue()).toBe('');
  });

  test('an error of the service reaches the page, without the data', async () => {
    await usePublicKey();
    await fill();
    const answer = await page.evaluate<string>(`(async () => {
      const card = SvcElements.createElement('card');
      document.body.append(Object.assign(document.createElement('div'), { id: 'empty' }));
      await card.mount('#empty');
      return SvcElements.tokens.create({ type: 'card', data: card }).catch((error) => error.status);
    })()`);
    expect(answer).toBe(400);
  });

  test.each([
    ['metadata', `{ type: 'token', data: number, metadata: { number } }`, /only be part of the data/],
    ['an id of its data', `{ type: 'token', data: number, id: '{{ data }}' }`, /must not show a part/],
    [
      'a mask that the service shows',
      `{ type: 'token', data: 'x', mask: { number } }`,
      /only be part of the data/,
    ],
  ])('a token cannot show the number: %s', async (_how, request, message) => {
    const error = await page.evaluate<string>(`(async () => {
      document.body.append(Object.assign(document.createElement('div'), { id: 'other' }));
      const number = SvcElements.createElement('cardNumber');
      await number.mount('#other');
      window.typed = new Promise((resolve) => number.on('change', resolve));
      window.attack = () => SvcElements.tokens.create(${request}).catch((error) => error.message);
    })()`);
    expect(error).toBeUndefined();
    await page.frameLocator('#other iframe').getByLabel('Card number').fill(NUMBER);
    expect(await page.evaluate('typed.then(attack)')).toMatch(message);
    expect(await seen()).not.toContain(NUMBER);
  });

  test('a token can have an alias of the card number as its id', async () => {
    await usePublicKey();
    await page.evaluate(`(async () => {
      document.body.append(Object.assign(document.createElement('div'), { id: 'other' }));
      window.number = SvcElements.createElement('cardNumber');
      await number.mount('#other');
    })()`);
    await page.frameLocator('#other iframe').getByLabel('Card number').fill(NUMBER);
    const request = `{ type: 'token', data: number, id: '{{ data | alias_card: true, true }}', fingerprintExpression: '{{ data }}' }`;
    expect(await page.evaluate(`SvcElements.tokens.create(${request}).then(({ id }) => id)`)).toMatch(
      /^424242\d{6}4242$/,
    );
  });

  test('a mask that reveals everything shows the page nothing', async () => {
    await usePublicKey();
    const token = await page.evaluate<Record<string, unknown>>(`(async () => {
      document.body.append(Object.assign(document.createElement('div'), { id: 'other' }));
      const bank = SvcElements.createElement('bank');
      await bank.mount('#other');
      window.bank = bank;
    })()`);
    expect(token).toBeUndefined();
    const bank = page.frameLocator('#other iframe');
    await bank.getByLabel('Routing number').fill('021000021');
    await bank.getByLabel('Account number').fill('000123456789');
    const created = await page.evaluate<Record<string, unknown>>(
      `SvcElements.tokens.create({ type: 'bank', data: bank, mask: '{{ data }}' }).then(({ id, ...rest }) => ({ id, data: rest.data }))`,
    );
    expect(created).toEqual({ id: expect.any(String) });
    const stored = await server.get(`/tokens/${created.id}`);
    expect(stored.body.data).toEqual({ routing_number: '021000021', account_number: '000123456789' });
  });

  test('messages of other windows are ignored, in both directions', async () => {
    await fill();
    await page.evaluate(`(() => {
      const other = document.createElement('iframe');
      other.srcdoc = '<script>for (const target of [...parent.frames]) target.postMessage({ action: "clear" }, "*")</script>';
      document.body.append(other);
      const name = document.querySelector('#card iframe').name;
      window.postMessage({ element: name, event: 'change', state: { complete: false } }, '*');
    })()`);
    await page.waitForTimeout(300);
    expect(await field('Card number').inputValue()).toBe(NUMBER);
    expect(await page.getByRole('button', { name: 'Pay' }).isEnabled()).toBe(true);
  });
});
