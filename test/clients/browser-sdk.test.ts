import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HAS_BROWSER, launchBrowser } from '../support/browser.js';
import { startStub } from '../support/http-server.js';
import { width } from '../support/width.js';
import { useFamilyEmulator } from './emulator.js';

const emulator = useFamilyEmulator({ allowOrigins: ['http://localhost:*'] });

/** Bundles the life of a page as a shop would, with this package as its SDK. */
async function bundle(sdk: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('browser-life.js', import.meta.url))],
    alias: { '@basis-theory/basis-theory-js': sdk, os: 'os-browserify' },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    define: { global: 'globalThis', 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

/** The majors of the SDK with the names of their packages. */
const MAJORS = [
  ['current', '@basis-theory/basis-theory-js'],
  ['earlier', 'basis-theory-js-2'],
] as const;

/** To bundle the SDKs takes longer than all of their requests. */
const whenFull = describe.runIf(width(false, true) && HAS_BROWSER);

whenFull('in Chromium, on a page of another origin (needs chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test.each(MAJORS)('the %s major of a browser SDK tokenizes with emulator fields', async (_name, sdk) => {
    const headers = { 'content-type': 'text/html' };
    const shop = await startStub({ headers, body: '<!doctype html><div id="card"></div>' });
    const page = await browser.newPage();
    try {
      await page.goto(shop.url.replace('127.0.0.1', 'localhost'));
      await page.addScriptTag({ content: await bundle(sdk) });
      const { keys, url } = emulator();
      const options = { url, apiBaseUrl: url.replace('127.0.0.1', 'localhost'), key: keys.public };
      await page.evaluate(`mountCard(${JSON.stringify(options)})`);
      const field = (label: string) => page.frameLocator('#card iframe').getByLabel(label);
      await field('Card number').fill('4242 4242 4242 4242');
      await field('Expiration date').fill('12/31');
      await field('Security code').fill('737');
      const id = await page.evaluate<string>('pay()');
      const authorized = { headers: { 'BT-API-KEY': keys.private } };
      const token: unknown = await (await fetch(`${url}/tokens/${id}`, authorized)).json();
      const data = { number: '4242424242424242', expiration_month: 12, expiration_year: 2031, cvc: '737' };
      expect(token).toMatchObject({ data });
    } finally {
      await Promise.all([page.close(), shop.close()]);
    }
  });

  test.each(MAJORS)('the %s major of a browser SDK runs unchanged', async (_name, sdk) => {
    const script = await bundle(sdk);
    const shop = await startStub({ headers: { 'content-type': 'text/html' }, body: '<!doctype html>' });
    const stub = await startStub({ body: { ok: true } });
    const page = await browser.newPage();
    try {
      await page.goto(shop.url.replace('127.0.0.1', 'localhost'));
      await page.addScriptTag({ content: script });
      const { keys, url, tenant_id } = emulator();
      // These SDKs use plain http for this name only.
      const options = { apiBaseUrl: url.replace('127.0.0.1', 'localhost'), keys, stub: stub.url };
      const done = await page.evaluate(`live(${JSON.stringify(options)})`);
      expect(done).toEqual({
        masked: 'XXXXXXXXXXXX4242',
        tokenized: ['first', 'card'],
        retrieved: '4242424242424242',
        listed: 1,
        searched: 1,
        refused: 403,
        application: 'a',
        applications: ['b'],
        ownApplication: 'private',
        newKey: 'string',
        permissions: true,
        reaction: { raw: { n: 1 } },
        reactor: 's',
        reactors: 1,
        proxied: { ok: true },
        proxy: 'q',
        tenant: tenant_id,
        usage: 'number',
        logs: true,
        gone: 404,
      });
      expect(stub.requests.map(({ body }) => body)).toEqual(['{"number":"4242424242424242"}']);
    } finally {
      await Promise.all([page.close(), shop.close(), stub.close()]);
    }
  });
});
