import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import yaml from 'yaml';
import type { Context } from '../../../src/cli/command.js';
import { run as pull } from '../../../src/cli/commands/pull.js';
import { apply, diff } from '../../../src/cli/commands/tenant-config.js';
import type { Report } from '../../../src/cli/tenant-config/report/report.js';
import { callCommand, createTestContext } from '../../support/cli-context.js';
import { projectDir, startTokenctl } from '../../support/executable.js';
import { type ForwarderAnswer, startForwarder } from '../../support/forwarder.js';
import { type TestTarget, useSharedEmulator } from '../../support/shared-emulator.js';
import { width } from '../../support/width.js';

const emulator = useSharedEmulator();

const ENVIRONMENTS = ['dev', 'staging', 'production'] as const;
type Environment = (typeof ENVIRONMENTS)[number];
const KEYS = ['A', 'B', 'C'];
const VARIABLE = `$\{var:TEXT}`;

const each = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.record(
    Object.fromEntries(ENVIRONMENTS.map((one) => [one, arbitrary])) as Record<Environment, typeof arbitrary>,
  );
const configuration = fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom('1', '2', VARIABLE), {
  noNullPrototype: true,
});
const overridden = fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom('3', '4', null), {
  noNullPrototype: true,
});
const permissions = fc.subarray(['token:read', 'token:create', 'token:use'], { minLength: 1 });
const present = fc.subarray([...ENVIRONMENTS], { minLength: 1 });
const rows = <Row>(row: Record<string, fc.Arbitrary<unknown>>, names: string[]) =>
  fc.uniqueArray(fc.record({ name: fc.constantFrom(...names), only: present, ...row }) as fc.Arbitrary<Row>, {
    selector: (one) => (one as { name: string }).name,
    maxLength: 3,
  });

interface Row {
  name: string;
  only: Environment[];
}
interface Application extends Row {
  permissions: string[];
  overlays: Record<Environment, string[] | null>;
}
interface Configured extends Row {
  code: number;
  application: number;
  configuration: Record<string, string>;
  overlays: Record<Environment, Record<string, string | null>>;
}
interface Webhook extends Row {
  events: string[];
}

const configured = {
  code: fc.nat({ max: 2 }),
  application: fc.nat({ max: 3 }),
  configuration,
  overlays: each(overridden),
};
/** What a project declares. The names of a second one are partly new: an object of the first may be renamed. */
const content = (more: string) =>
  fc.record({
    applications: rows<Application>({ permissions, overlays: each(fc.option(permissions)) }, [
      'a',
      'b',
      more,
    ]),
    reactors: rows<Configured>(configured, ['charge', 'refund', 'void', more]),
    proxies: rows<Configured>(configured, ['in', 'out', more]),
    webhooks: rows<Webhook>({ events: fc.subarray(['token.created', 'token.deleted'], { minLength: 1 }) }, [
      'w',
      more,
    ]),
  });
type Content = {
  applications: Application[];
  reactors: Configured[];
  proxies: Configured[];
  webhooks: Webhook[];
};

/** Says of new rows that they were those that are gone. */
const renamed = (list: readonly Row[], before: readonly Row[] = []): Map<string, string> => {
  const gone = before.filter(({ name }) => !list.some((row) => row.name === name));
  const added = list.filter(({ name }) => !before.some((row) => row.name === name));
  return new Map(added.slice(0, gone.length).map(({ name }, index) => [name, gone[index]?.name ?? '']));
};

const withPrevious = <One extends Row>(list: readonly One[], before?: readonly Row[]) => {
  const names = renamed(list, before);
  return list.map((row) => ({ ...row, ...(names.has(row.name) && { previous_name: names.get(row.name) }) }));
};

/** Returns a manifest of a content, and of what was declared before. */
function toManifest(declared: Content, before?: Content) {
  const findApplication = ({ application, only }: Configured) => {
    const found = declared.applications[application];
    return found && only.every((name) => found.only.includes(name)) ? found.name : null;
  };
  const base = ({ overlays: _, code, ...row }: Configured & { previous_name?: string | undefined }) => ({
    ...row,
    application: findApplication(row as Configured),
    file: `code-${code}.js`,
  });
  const overlays = (list: readonly Configured[], name: Environment) =>
    list.map((row) => ({ name: row.name, configuration: row.overlays[name] }));
  return {
    variables: { TEXT: 'text', PATH: 'all' },
    defaults: { reactors: { configuration: { SHARED: 'yes' }, bundle: false } },
    applications: withPrevious(declared.applications, before?.applications).map(
      ({ overlays: _, ...row }) => ({ ...row, type: 'private' }),
    ),
    reactors: withPrevious(declared.reactors, before?.reactors)
      .map(base)
      .map(({ file, ...row }) => ({ ...row, code: file })),
    proxies: withPrevious(declared.proxies, before?.proxies)
      .map(base)
      .map(({ file, ...row }) => ({
        ...row,
        request_transform: file,
        bundle: false,
        destination_url: 'http://127.0.0.1:9/',
      })),
    webhooks: withPrevious(declared.webhooks, before?.webhooks).map((row) => ({
      ...row,
      url: `http://127.0.0.1:9/$\{var:PATH}`,
    })),
    environments: Object.fromEntries(
      ENVIRONMENTS.map((name) => [
        name,
        {
          variables: { PATH: name },
          applications: declared.applications.flatMap((row) =>
            row.overlays[name] ? [{ name: row.name, permissions: row.overlays[name] }] : [],
          ),
          reactors: overlays(declared.reactors, name),
          proxies: overlays(declared.proxies, name),
        },
      ]),
    ),
  };
}

const APPLY = { allowWeaken: true, prune: true, concurrency: 2 };

/** What befalls an apply at a request: its answer is lost, it is refused, or the process is killed. */
const fault = fc.record({
  kind: fc.constantFrom('lost', 'reset', 503, 'kill'),
  at: fc.integer({ min: 1, max: 25 }),
});
type Fault = typeof fault extends fc.Arbitrary<infer Value> ? Value : never;

/** A tenant behind a server that makes faults. */
async function openTenant(environment: Environment, cwd: string) {
  const tenant = await emulator.tenant();
  const state: { fault?: Fault | undefined; count: number; onKill?: () => void; writes: number } = {
    count: 0,
    writes: 0,
  };
  const answer = (): ForwarderAnswer => {
    if (!state.fault || ++state.count !== state.fault.at) return undefined;
    const { kind } = state.fault;
    if (kind === 'kill') state.onKill?.();
    return typeof kind === 'number'
      ? { status: kind }
      : kind === 'kill'
        ? undefined
        : (kind as 'lost' | 'reset');
  };
  const { url } = await startForwarder(emulator.url, answer, {
    onForwarded: (request) => void (request.startsWith('GET ') || state.writes++),
  });
  const target: TestTarget = { ...tenant, env: { ...tenant.env, TOKENCTL_BASE_URL: url } };
  const options = { cwd, target, globals: { environment } };
  const run = <Flags>(command: (flags: Flags, context: Context) => Promise<unknown>, flags: Flags) =>
    callCommand<Flags, Report>(command, flags, options);
  /** Applies the manifest with a fault, by which it may fail. */
  const disturb = async (given: Fault) => {
    Object.assign(state, { fault: given, count: 0 });
    if (given.kind === 'kill') {
      const { child, ended } = startTokenctl(
        `apply --yes --prune --allow-weaken --environment ${environment}`,
        { cwd, env: target.env },
      );
      state.onKill = () => void child.kill('SIGKILL');
      await ended;
    } else await run(apply, APPLY).catch((error: Error) => expect(error.message).not.toBe(''));
    state.fault = undefined;
  };
  return { environment, target, state, run, disturb };
}
type Tenant = Awaited<ReturnType<typeof openTenant>>;

/** Lists what a tenant has, besides the applications of its start. */
async function listNames({ target }: Tenant, cwd: string): Promise<string[]> {
  const { context } = await createTestContext({ cwd, target });
  const lists = {
    applications: 'applications.list',
    reactors: 'reactors.list',
    proxies: 'proxies.list',
    webhooks: 'webhooks.list',
  } as const;
  const found: string[] = [];
  for (const [list, operation] of Object.entries(lists)) {
    const { data } = (await context.client.call(operation, { query: { size: 100 } })) as {
      data: { name: string }[];
    };
    found.push(...data.map(({ name }) => `${list}/${name}`));
  }
  await context.client.close();
  return found.filter((name) => !/applications\/(management|private|public)$/.test(name)).sort();
}

const declaredNames = (declared: Content, environment: Environment): string[] =>
  Object.entries(declared)
    .flatMap(([list, all]: [string, Row[]]) =>
      all.filter(({ only }) => only.includes(environment)).map(({ name }) => `${list}/${name}`),
    )
    .sort();

/** Applies a manifest despite a fault, and expects exactly what it declares, which a second apply leaves alone. */
async function converge(tenant: Tenant, declared: Content, given: Fault, cwd: string): Promise<void> {
  await tenant.disturb(given);
  await tenant.run(apply, APPLY);
  await tenant.run(diff, { exitCode: true });
  expect(await listNames(tenant, cwd)).toEqual(declaredNames(declared, tenant.environment));
  tenant.state.writes = 0;
  await tenant.run(apply, APPLY);
  expect(tenant.state.writes).toBe(0);
}

/** Changes reactors by hand, and brings the change back into the files of an environment. */
async function pullChange(tenant: Tenant, change: Record<string, string | null>, cwd: string): Promise<void> {
  const { context } = await createTestContext({ cwd, target: tenant.target });
  const { data } = await context.client.call('reactors.list', { query: { size: 100 } });
  for (const { id } of data)
    await context.client.call('reactors.update', { path: { id }, body: { configuration: change } });
  await context.client.close();
  const target = data.map(({ name }) => `reactor/${name}`);
  if (target.length > 0)
    expect(await tenant.run(pull, { target, literal: KEYS })).toMatchObject({ left_out: [] });
}

// Fault: apply, pull | answers lost or refused, kill | memory
test.runIf(width(false, true))(
  'three environments of random manifests converge under lost answers, refusals and kills, and a pull of what was changed by hand is exact',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        content('x'),
        content('y'),
        each(fault),
        each(overridden),
        async (first, second, faults, changes) => {
          const cwd = await projectDir({
            ...Object.fromEntries(
              [0, 1, 2].map((raw) => [`code-${raw}.js`, `module.exports = async () => ({ raw: ${raw} });\n`]),
            ),
          });
          const tenants = await Promise.all(ENVIRONMENTS.map((name) => openTenant(name, cwd)));
          const write = (manifest: object) => writeFile(join(cwd, 'tokenctl.yaml'), yaml.stringify(manifest));
          for (const [declared, before] of [
            [first, undefined],
            [second, first],
          ] as [Content, Content | undefined][]) {
            await write(toManifest(declared, before));
            for (const tenant of tenants) await converge(tenant, declared, faults[tenant.environment], cwd);
          }
          for (const tenant of tenants) await pullChange(tenant, changes[tenant.environment], cwd);
          const pulled = await readFile(join(cwd, 'tokenctl.yaml'), 'utf8');
          for (const tenant of tenants)
            await tenant
              .run(diff, { exitCode: true })
              .catch((error: Error) => expect.soft(`${error.message}\n${pulled}`).toBe(''));
        },
      ),
      { numRuns: 20 },
    );
  },
);
