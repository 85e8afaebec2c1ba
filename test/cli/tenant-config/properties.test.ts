import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { run as pull } from '../../../src/cli/commands/pull.js';
import { apply, diff } from '../../../src/cli/commands/tenant-config.js';
import type { Report } from '../../../src/cli/tenant-config/report/report.js';
import { EVENT_TYPES } from '../../../src/contract/event-types.js';
import { type Permission, permissionsOfType, TRANSFORMS } from '../../../src/contract/permissions.js';
import type { OperationInput } from '../../../src/contract/schemas/index.js';
import { callCommand, createTestContext } from '../../support/cli-context.js';
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

const run = <Flags>(...call: Parameters<typeof callCommand<Flags, Report>>) =>
  callCommand<Flags, Report>(...call);

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

test('a diff after a pull is empty, as it is after what was pulled is applied to another tenant, twice', async () => {
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

      const other = { cwd, target: await emulator.tenant() };
      const flags = { allowWeaken: true, prune: true, allowSecrets: true };
      await run(apply, flags, other);
      expect(changesOf(await run(diff, { exitCode: true, allowSecrets: true }, other))).toEqual([]);
      let writes = 0;
      const onAttempt = ({ method }: { method: string }) => void (method === 'GET' || writes++);
      expect(changesOf(await run(apply, flags, { ...other, onAttempt }))).toEqual([]);
      expect(writes).toBe(0);
    }),
    RUNS,
  );
});
