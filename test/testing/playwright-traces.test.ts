import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import JSZip from 'jszip';
import { expect, test } from 'vitest';
import { LeakWatch } from '../../emulator/services/leaks/leak-watch.js';
import type { TokenRecord } from '../../emulator/store/records.js';
import { EXECUTABLE, HAS_BROWSER } from '../support/browser.js';
import { runProgram } from '../support/executable.js';
import { kitProject, MODULES } from './kit-project.js';

/** Lists the forms in which the data of the suite's tokens is in a content. */
function leaksOf(content: Buffer): string[] {
  const watch = new LeakWatch();
  for (const data of [{ number: '4242424242424242', cvc: '737' }, { holder: 'Zoë "Z" Müller' }])
    watch.addToken({
      id: 'a',
      tenant_id: 't',
      type: 'token',
      data,
      containers: [],
    } as unknown as TokenRecord);
  watch.observe('content', content);
  return watch.report().map(({ place, path, form }) => `${place}: ${path} as ${form}`);
}

test.runIf(HAS_BROWSER)('no file that Playwright keeps, and no report, holds token data', async () => {
  const cwd = await kitProject('trace-project', '@playwright');
  const args = [join(MODULES, '@playwright/test/cli.js'), 'test'];
  const env = { CHROMIUM_PATH: EXECUTABLE ?? '' };
  const { code, stdout, stderr } = await runProgram(process.execPath, args, { cwd, env });
  expect(code, stdout + stderr).toBe(0);
  const kept = await Promise.all(
    ['test-results', 'playwright-report', 'blob-report'].map(async (name) => {
      const directory = join(cwd, '..', name);
      const files = await readdir(directory, { recursive: true });
      // The viewer of traces is code.
      return files
        .filter((file) => /(?:\.zip|^index\.html)$/.test(file))
        .map((file) => join(directory, file));
    }),
  );
  expect(kept.map(({ length }) => length)).toEqual([1, 2, 1]);
  for (const file of kept.flat()) expect(leaksOf(await readFile(file))).toEqual([]);
  for (const file of kept.flat().filter((one) => one.endsWith('.zip') && !one.includes('blob-report'))) {
    const content = await readFile(file);
    const { files } = await JSZip.loadAsync(content);
    const names = Object.keys(files);
    expect(names).toEqual(expect.arrayContaining(['test.trace', expect.stringMatching(/^resources\//)]));
    for (const name of names.filter((one) => /\.(?:trace|network)$/.test(one)))
      for (const line of ((await files[name]?.async('string')) ?? '').split('\n'))
        if (line !== '') expect(() => JSON.parse(line)).not.toThrow();
    const trace = (await files['test.trace']?.async('string')) ?? '';
    expect(trace).toContain('Fill \\"XXXXXXXXXXXXXXXX\\"');
  }
  const page = await readFile(join(cwd, '../playwright-report/index.html'), 'utf8');
  const [, data = ''] = /zip;base64,([^<"]+)/.exec(page) ?? [];
  const { files } = await JSZip.loadAsync(data, { base64: true });
  const reports = await Promise.all(Object.values(files).map((file) => file.async('string')));
  for (const report of reports) expect(() => JSON.parse(report)).not.toThrow();
  expect(reports.join('')).toContain('Fill \\"XXX\\"');
});
