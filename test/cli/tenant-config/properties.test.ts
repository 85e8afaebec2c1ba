import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/cli/command.js';
import { run as pull } from '../../../src/cli/commands/pull.js';
import { apply, diff, plan } from '../../../src/cli/commands/tenant-config.js';
import { toFailure } from '../../../src/cli/lib/to-failure.js';
import type { Report } from '../../../src/cli/tenant-config/report/report.js';
import { EVENT_TYPES } from '../../../src/contract/event-types.js';
import { type Permission, permissionsOfType, TRANSFORMS } from '../../../src/contract/permissions.js';
import type { OperationInput } from '../../../src/contract/schemas/index.js';
import { createTestContext, type TestContextOptions } from '../../support/cli-context.js';
import { scratchDir } from '../../support/executable.js';
import { type TestTarget, useSharedEmulator } from '../../support/shared-emulator.js';
import { width } from '../../support/width.js';

const RUNS = { numRuns: width(1, 20) };

const emulator = useSharedEmulator();
const directory = scratchDir();

const name = fc.constantFrom('charge', 'Refund all', 'ünïcode', '../up', 'a: b', 'null', '1', 'CON', '{x}');
const value = fc.oneof(
  fc.string({ maxLength: 30, unit: 'grapheme' }),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a reference looks like.
  fc.constantFrom('', '${env:HOME}', '$${env:HOME}', 'a\n', '\r\n', 'a\nb', '# no comment', 'true'),
);
const configuration = fc.dictionary(fc.constantFrom('KEY', 'key', 'a.b', '../x', 'ü', 'LONG NAME'), value, {
  maxKeys: 4,
  noNullPrototype: true,
});
const code = fc
  .tuple(
    fc.constantFrom('module.exports = async () => ({})', 'export default async () => ({})'),
    fc.constantFrom('', ';', ';\n', ';\r\n', '\n\n// the end'),
    fc.nat({ max: 9 }),
  )
  .map(([text, end, number]) => `${text.replace('{}', `{ raw: ${number} }`)}${end}`);

const somePermissions = fc.subarray(permissionsOfType('private'), { minLength: 1 });
const rule = fc.record({
  priority: fc.nat({ max: 3 }),
  container: fc.constantFrom('/', '/pci/', '/PCI/high/', '/pii/'),
  transform: fc.constantFrom(...TRANSFORMS),
  permissions: somePermissions as fc.Arbitrary<Permission[]>,
});
const access = fc.oneof(
  fc.record({ permissions: somePermissions as fc.Arbitrary<Permission[]> }),
  fc.record({ rules: fc.array(rule, { minLength: 1, maxLength: 4 }) }),
);
const application = fc.tuple(name, access).map(([one, rest]) => ({
  name: one,
  type: 'private' as const,
  ...rest,
}));
const byName = { selector: (item: { name: string }) => item.name };
const applications = fc.uniqueArray(application, { ...byName, maxLength: 3 });
const reactor = fc.record({ name, code, configuration, application: fc.nat({ max: 3 }) });
const reactors = fc.uniqueArray(reactor, { ...byName, maxLength: 4 });
const settings = fc.record({ fingerprint_tokens: fc.boolean(), deduplicate_tokens: fc.boolean() });
const tenant = fc.record({ settings }, { requiredKeys: [] });
const webhook = fc.record({
  name,
  url: fc.constantFrom('http://127.0.0.1:9/a', 'http://127.0.0.1:9/b?c=d'),
  events: fc.subarray([...EVENT_TYPES], { minLength: 1, maxLength: 3 }),
});
const webhooks = fc.uniqueArray(webhook, { ...byName, maxLength: 3 });
const transform = fc.option(code, { nil: null });
const proxy = fc.record({
  name,
  destination_url: fc.constantFrom('http://127.0.0.1:9/a', 'http://127.0.0.1:9/b?c=d'),
  request_transform: transform,
  response_transform: transform,
  configuration,
  application: fc.nat({ max: 3 }),
  require_auth: fc.boolean(),
});
const proxies = fc.uniqueArray(proxy, { ...byName, maxLength: 3 });
const content = fc.record({ applications, reactors, proxies, webhooks, tenant });

type Content = typeof content extends fc.Arbitrary<infer Value> ? Value : never;

/** The application that a reactor or proxy refers to, or null. */
const referenceOf = ({ applications: all }: Content, index: number): string | null =>
  all[index]?.name ?? null;

const escapeReferences = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([key, text]) => [key, text.replaceAll('${', () => '$${')]));

const TRANSFORMS_OF_PROXY = ['request_transform', 'response_transform'] as const;

/** Writes a manifest and its code into a new directory. Values are literal text, not references. */
async function writeManifest(content: Content): Promise<string> {
  const cwd = await mkdtemp(join(directory, 'manifest-'));
  const rows = content.reactors.map(({ application: index, code: _, configuration: values, ...row }, at) => ({
    ...row,
    code: `${at}.js`,
    bundle: false,
    configuration: escapeReferences(values),
    application: referenceOf(content, index),
  }));
  const proxyRows = content.proxies.map(({ application: index, configuration: values, ...row }, at) => ({
    ...row,
    ...Object.fromEntries(
      TRANSFORMS_OF_PROXY.map((property) => [
        property,
        row[property] === null ? null : `${property}-${at}.js`,
      ]),
    ),
    bundle: false,
    configuration: escapeReferences(values),
    application: referenceOf(content, index),
  }));
  const { applications: all, webhooks: hooks, tenant: row } = content;
  await writeFile(
    join(cwd, 'tokenctl.json'),
    JSON.stringify({ tenant: row, applications: all, reactors: rows, proxies: proxyRows, webhooks: hooks }),
  );
  for (const [at, one] of content.reactors.entries()) await writeFile(join(cwd, `${at}.js`), one.code);
  for (const [at, one] of content.proxies.entries())
    for (const property of TRANSFORMS_OF_PROXY)
      await writeFile(join(cwd, `${property}-${at}.js`), one[property] ?? '');
  return cwd;
}

/** Calls a command as a function, and returns its first result. */
async function run<Flags>(
  command: (flags: Flags, context: Context) => Promise<void>,
  flags: Flags,
  options: TestContextOptions,
): Promise<Report> {
  const { context, results } = await createTestContext(options);
  try {
    await command(flags, context);
    return results[0] as Report;
  } finally {
    await context.client.close();
  }
}

const APPLY = { allowWeaken: true, prune: true };

const changesOf = ({ objects }: Report) => objects.filter(({ status }) => status !== 'unchanged');

/** Creates the content in a tenant through the API. */
async function createContent(content: Content, target: TestTarget): Promise<void> {
  const { context } = await createTestContext({ cwd: directory, target });
  const { client } = context;
  const ids = new Map<string | null, string>();
  for (const body of content.applications)
    ids.set(body.name, (await client.call('applications.create', { body })).id);
  for (const { application: index, ...body } of content.reactors) {
    const id = ids.get(referenceOf(content, index));
    const request: OperationInput<'reactors.create'>['body'] = {
      ...body,
      ...(id && { application: { id } }),
    };
    await client.call('reactors.create', { body: request });
  }
  for (const { application: index, request_transform, response_transform, ...body } of content.proxies) {
    const id = ids.get(referenceOf(content, index));
    const request: OperationInput<'proxies.create'>['body'] = {
      ...body,
      request_transform: request_transform === null ? null : { code: request_transform },
      response_transform: response_transform === null ? null : { code: response_transform },
      application: id === undefined ? null : { id },
    };
    await client.call('proxies.create', { body: request });
  }
  for (const body of content.webhooks) await client.call('webhooks.create', { body });
  await client.close();
}

test('a diff after a pull is empty', async () => {
  await fc.assert(
    fc.asyncProperty(content, async (existing) => {
      const target = await emulator.tenant();
      await createContent(existing, target);
      const cwd = await mkdtemp(join(directory, 'pull-'));
      const pulled = await run(
        pull,
        { directory: undefined, secrets: 'secrets', allowSecrets: true },
        { cwd, target },
      );
      expect(pulled).toMatchObject({ left_out: [] });
      const report = await run(diff, { exitCode: true, allowSecrets: true }, { cwd, target });
      const { applications: all, reactors: some, proxies: through, webhooks: hooks } = existing;
      const count = all.length + some.length + through.length + hooks.length;
      expect(report.objects).toHaveLength(count + 4);
    }),
    RUNS,
  );
});

test('a diff after an apply is empty, and a second apply writes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(content, content, async (first, second) => {
      const target = await emulator.tenant();
      for (const declared of [first, second]) {
        const options = { cwd: await writeManifest(declared), target };
        await run(apply, APPLY, options);
        expect(changesOf(await run(diff, { exitCode: true }, options))).toEqual([]);
        let writes = 0;
        const count = ({ method }: { method: string }) => {
          if (method !== 'GET') writes++;
        };
        expect(changesOf(await run(apply, APPLY, { ...options, onAttempt: count }))).toEqual([]);
        expect(writes).toBe(0);
      }
    }),
    RUNS,
  );
});

test('a plan that was interrupted anywhere is completed when it is applied again', async () => {
  await fc.assert(
    fc.asyncProperty(content, content, fc.nat({ max: 25 }), async (before, after, requests) => {
      const target = await emulator.tenant();
      const first = await writeManifest(before);
      await run(apply, APPLY, { cwd: first, target });
      const cwd = await writeManifest(after);
      await run(plan, { out: 'plan.json' }, { cwd, target });
      const controller = new AbortController();
      let left = requests;
      const interrupt = () => {
        if (left-- === 0) controller.abort(new Error('interrupted'));
      };
      const planned = { object: ['plan.json'], allowWeaken: true };
      const options = { cwd, target, signal: controller.signal, onAttempt: interrupt };
      await run(apply, planned, options).catch((error: unknown) =>
        expect(String(error)).toContain('interrupted'),
      );
      await run(apply, planned, { cwd, target });
      expect(changesOf(await run(diff, { exitCode: true }, { cwd, target }))).toEqual([]);
    }),
    RUNS,
  );
});

test('of two applies of one directory at the same time, at least one succeeds and any other says so', async () => {
  await fc.assert(
    fc.asyncProperty(content, async (declared) => {
      const target = await emulator.tenant();
      const cwd = await writeManifest(declared);
      const both = await Promise.allSettled([1, 2].map(() => run(apply, APPLY, { cwd, target })));
      const failures = both.flatMap((one) => (one.status === 'rejected' ? [toFailure(one.reason)] : []));
      expect(failures.length).toBeLessThan(2);
      // The reason is that of the whole apply, or of each object that failed.
      for (const { detail, errors } of failures)
        for (const reason of Object.values(errors ?? {})
          .flat()
          .concat(errors ? [] : [detail]))
          expect(reason).toMatch(/is running|at the same time|was changed/);
      expect(changesOf(await run(diff, { exitCode: true }, { cwd, target }))).toEqual([]);
    }),
    RUNS,
  );
});

test('applies from two directories at the same time leave each object once', async () => {
  await fc.assert(
    fc.asyncProperty(content, async (declared) => {
      const target = await emulator.tenant();
      const directories = [await writeManifest(declared), await writeManifest(declared)];
      await Promise.allSettled(directories.map((cwd) => run(apply, APPLY, { cwd, target })));
      const [cwd = ''] = directories;
      await run(apply, APPLY, { cwd, target });
      expect(changesOf(await run(diff, { exitCode: true }, { cwd, target }))).toEqual([]);
    }),
    RUNS,
  );
});
