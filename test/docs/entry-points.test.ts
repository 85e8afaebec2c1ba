import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../support/emulator.js';
import { PACKAGE } from '../support/executable.js';
import { ROOT } from '../support/packed-package.js';
import { compile, STRICT } from '../support/typescript.js';
import { width } from '../support/width.js';

const run = promisify(execFile);
const PAGES = ['client', 'contract', 'emulator-api'];

/** Tests that use every fixture and the matcher of a kit. */
const suite = (kit: string) => `
import { expect, test } from 'tokenctl/${kit}';

test('a kit', async ({ emulator, tenant, client, clock, faults, webhooks }) => {
  const { id }: { id: string } = await client.call('tokens.create', { body: { type: 'token', data: 'secret' } });
  await faults.add({ operation: 'tokens.get', status: 429, times: 1 });
  await clock.advance('1h');
  await expect(tenant).toHaveReceived({ operation: 'tokens.create', times: 1, path: webhooks.url + id });
  await expect(emulator).not.toHaveReceived({ operation: 'tokens.get' });
  // @ts-expect-error There is no such operation.
  await expect(tenant).toHaveReceived({ operation: 'tokens.nothing' });
  // @ts-expect-error A token has no such property.
  (await client.call('tokens.get', { path: { id } })).nothing;
});
`;

/** Imports of each entry point, with types that no declaration may lose. */
const PROGRAM = `
import { createClient } from 'tokenctl/client';
import { LIMITS } from 'tokenctl/contract';
import { startEmulator, type Tenant } from 'tokenctl/emulator';
import { CARDS, createProcessor } from 'tokenctl/processor';

export async function run(tenant: Tenant): Promise<string> {
  const { respond } = createProcessor();
  await tenant.outbound.respond({ host: 'api.example.com' }, respond);
  const client = createClient({ baseUrl: 'http://127.0.0.1', apiKey: 'key' });
  const body = { type: 'card', data: { number: CARDS.declined, expiration_month: 1, expiration_year: 2040 } } as const;
  const { id }: { id: string } = await client.call('tokens.create', { body });
  // @ts-expect-error There is no such option.
  await startEmulator({ nothing: true });
  return id + LIMITS.bodyBytes;
}
`;

/** The example of a page and what the page says that it prints. */
async function exampleOf(page: string): Promise<{ code: string; printed: string }> {
  const text = await readFile(join(ROOT, `docs/${page}.md`), 'utf8');
  const [, code = ''] = /```ts\n(.*?)```/s.exec(text) ?? [];
  const [, printed = ''] = /It prints:\n\n```text\n(.*?)```/s.exec(text) ?? [];
  return { code, printed };
}

/** A project that has this package installed. */
let project: string;
let emulator: RunningEmulator;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'tokenctl-docs-'));
  await mkdir(join(project, 'node_modules'));
  await symlink(PACKAGE, join(project, 'node_modules/tokenctl'));
  await symlink(join(ROOT, 'node_modules/@types'), join(project, 'node_modules/@types'));
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  for (const page of PAGES) await writeFile(join(project, `${page}.ts`), (await exampleOf(page)).code);
  emulator = await startEmulator({ port: 0 });
});

afterAll(async () => {
  await emulator?.close();
  await rm(project, { recursive: true, force: true });
});

describe.runIf(width(false, true))('the declarations of the package', () => {
  beforeAll(async () => {
    // The build for the tests leaves them out, and `npm ci` has built them.
    await run(process.execPath, ['--import', 'tsx', '.config/build.ts', 'types'], { cwd: ROOT });
  });

  test('the examples of docs/client.md, docs/contract.md and docs/emulator-api.md compile', async () => {
    expect(await compile(project, [...STRICT, ...PAGES.map((page) => `${page}.ts`)])).toBe('');
  });

  test.each([
    ['program.mts', 'node16'],
    ['program.cts', 'node16'],
    ['program.cts', 'node18'],
    ['program.mts', 'nodenext'],
  ])('%s has types with the module setting %s', async (file, module) => {
    await writeFile(join(project, file), PROGRAM);
    expect(
      await compile(project, [
        '--strict',
        '--noEmit',
        '--skipLibCheck',
        '--types',
        'node',
        '--module',
        module,
        file,
      ]),
    ).toBe('');
  });

  test('the kits for vitest and Playwright have types', async () => {
    for (const kit of ['vitest', 'playwright']) await writeFile(join(project, `${kit}.ts`), suite(kit));
    expect(await compile(project, [...STRICT, '--skipLibCheck', 'vitest.ts', 'playwright.ts'])).toBe('');
  });
});

test.each(PAGES)('the example of docs/%s.md prints what the page says', async (page) => {
  const { code, printed } = await exampleOf(page);
  const script = join(project, `${page}.js`);
  await writeFile(script, (await transform(code, { loader: 'ts', format: 'esm' })).code);
  const { management, private: privateKey } = emulator.keys;
  const env = { SERVICE_URL: emulator.url, MANAGEMENT_KEY: management, PRIVATE_KEY: privateKey };
  const { stdout } = await run(process.execPath, [script], { cwd: project, env });
  expect(stdout).toBe(printed);
  expect(printed).not.toBe('');
});
