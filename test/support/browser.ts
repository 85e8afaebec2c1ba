import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { PATIENCE } from './patience.js';

export const EXECUTABLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);

/** Whether this machine has a browser; tests that need one are skipped without it. */
export const HAS_BROWSER = EXECUTABLE !== undefined;

export function launchBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'];
  return chromium.launch({ executablePath: EXECUTABLE ?? '', args, timeout: PATIENCE.timeout });
}
