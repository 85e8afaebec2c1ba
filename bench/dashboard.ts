import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import autocannon from 'autocannon';
import type { Browser, Page } from 'playwright-core';
import { HAS_BROWSER, launchBrowser } from '../test/support/browser.js';
import { CONNECTIONS, send } from './clients.js';
import { atMost, type Measurement, median, quantile, timed } from './measurement.js';
import { atEnd, type EmulatorServer, startEmulator } from './servers.js';

const TOKENS = 50_000;
const TOKENS_PER_REQUEST = 1_000;
const OPENINGS = 5;
const REQUESTS_PER_SECOND = 1_000;
const SECONDS = 10;
const SETTLE_MS = 2_000;
const SCROLL_MS = 50;
const VIEWS = ['Overview', 'Requests', 'Tokens'];

/** W1: the dashboard of an emulator with 50,000 tokens: when it is usable, its scripts, and its frames while requests arrive. */
export async function dashboard(): Promise<Measurement[]> {
  if (!HAS_BROWSER) throw new Error('W1 needs a browser. Install chromium.');
  const server = await startEmulator(['--memory']);
  const call = { method: 'POST', path: '/tokenize', key: server.keys.private } as const;
  const body = Array.from({ length: TOKENS_PER_REQUEST }, (_, index) => `text ${index}`);
  for (let count = 0; count < TOKENS; count += body.length) await send(server.url, { ...call, body });
  const browser = await launchBrowser();
  atEnd(() => browser.close());
  return [...(await measureStart(browser, server)), ...(await measureFrames(browser, server))];
}

/** Opens the overview, until it has its figures. */
async function open(page: Page, { url, controlToken }: EmulatorServer): Promise<void> {
  await page.goto(`${url}/_emulator/ui#token=${controlToken}`);
  const tokens = page.getByLabel('Figures').getByText(TOKENS.toLocaleString('en'), { exact: true });
  await tokens.first().waitFor();
}

async function measureStart(browser: Browser, server: EmulatorServer): Promise<Measurement[]> {
  const times: number[] = [];
  const sizes: number[] = [];
  for (let round = 0; round < OPENINGS; round += 1) {
    const page = await browser.newPage();
    times.push(await timed(() => open(page, server)));
    const names = "performance.getEntriesByType('resource').map(({ name }) => name)";
    const scripts = (await page.evaluate<string[]>(names)).filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(scripts.map(async (script) => (await fetch(script)).text()));
    sizes.push(texts.reduce((sum, text) => sum + gzipSync(text).length, 0));
    await page.close();
  }
  return [
    atMost('W1', 'the dashboard is usable: it shows its figures', 1_000, median(times), ' ms'),
    atMost('W1', 'its scripts in the first view, compressed', 150, median(sizes) / 1_000, ' KB'),
  ];
}

/** Returns the milliseconds between two frames, for some seconds. */
const frames = (seconds: number) => `new Promise((resolve) => {
  const times = [];
  let last = performance.now();
  const end = last + ${seconds} * 1_000;
  const tick = (now) => {
    times.push(now - last);
    last = now;
    now < end ? requestAnimationFrame(tick) : resolve(times);
  };
  requestAnimationFrame(tick);
})`;

/** Scrolls through each view while requests arrive, of which some fail and some write. */
async function measureFrames(browser: Browser, server: EmulatorServer): Promise<Measurement[]> {
  const { url, keys } = server;
  const page = await browser.newPage();
  await open(page, server);
  const headers = { 'SVC-API-KEY': keys.private, 'content-type': 'application/json' };
  const read = { method: 'GET' as const, path: '/tokens?size=1', headers };
  const requests = [
    ...Array.from({ length: 8 }, () => read),
    { ...read, path: '/tokens/none' },
    { method: 'POST' as const, path: '/tokens', headers, body: '{"type":"token","data":"x"}' },
  ];
  const load = autocannon({
    ...{ url, requests, connections: CONNECTIONS, overallRate: REQUESTS_PER_SECOND },
    duration: VIEWS.length * (SECONDS + SETTLE_MS / 1_000) + 1,
  });
  const measurements: Measurement[] = [];
  for (const view of VIEWS) {
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click();
    await sleep(SETTLE_MS);
    let isOver = false;
    const measured = page.evaluate<number[]>(frames(SECONDS)).finally(() => (isOver = true));
    for (let step = 0; !isOver; step += 1) {
      await page.mouse.wheel(0, step % 20 < 10 ? 100 : -100);
      await sleep(SCROLL_MS);
    }
    const times = await measured;
    const more = ` (p50 ${quantile(times, 0.5).toFixed(0)}, most ${Math.max(...times).toFixed(0)})`;
    measurements.push(
      atMost('W1', `${view} beside 1,000 requests/s: a frame, p99`, 50, quantile(times, 0.99), ' ms', more),
    );
  }
  await load;
  return measurements;
}
