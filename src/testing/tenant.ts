import { SourceMap, type SourceMapPayload } from 'node:module';
import { relative, resolve } from 'node:path';
import type { ControlClient } from '../client/control.js';
import { type Client, createClient } from '../client/index.js';
import type { Credentials } from '../contract/control/state-file.js';
import type { OperationBody, OperationInput, TypedBody } from '../contract/schemas/index.js';
import { type Controls, createControls } from './controls.js';
import { type CommandTarget, runCommand } from './run-command.js';

type NewToken = OperationInput<'tokens.create'>['body'];
type NewReactor = OperationInput<'reactors.create'>['body'];
type NewApplication = OperationInput<'applications.create'>['body'];

/** Which manifest is applied, and how. */
export interface ManifestOptions {
  /** That of the manifest. Default: the working directory. */
  directory?: string;
  /** The environment whose values the manifest has. */
  environment?: string;
  /** Values of the configuration of every reactor and proxy that override those of the manifest. */
  config?: Readonly<Record<string, string>>;
  /** Environment variables, which references such as `${env:PROCESSOR_URL}` stand for. */
  variables?: Readonly<Record<string, string>>;
}

/** The objects that a test starts with, as create requests. */
export interface Seed {
  applications?: readonly NewApplication[];
  reactors?: readonly NewReactor[];
  tokens?: readonly NewToken[];
}

/** The objects of a seed, in its order. Applications and reactors have their names as well: `reactors.charge`. */
export interface Seeded<Of extends Seed = Seed> {
  applications: ByName<OperationBody<'applications.create'>, Of['applications']>;
  reactors: ByName<OperationBody<'reactors.create'>, Of['reactors']>;
  tokens: TypedBody<'tokens.create'>[];
}

type ByName<Item, Named> = Item[] & { readonly [Name in NameOf<Named>]: Item };

/** The names that the compiler knows. */
type NameOf<Named> = Named extends readonly { name: infer Name extends string }[]
  ? string extends Name
    ? never
    : Name
  : never;

/** A tenant with its keys, a client, and controls that affect no other tenant. */
export interface Tenant extends Controls, Credentials {
  /** Calls the service with the key that each operation needs. */
  readonly client: Client;
  /** Creates the objects that a test starts with. */
  seed<const Of extends Seed>(seed: Of): Promise<Seeded<Of>>;
  /** Deploys reactors from files, as `tokenctl reactor deploy` does. @returns its report @throws {CommandError} */
  deploy(...files: string[]): Promise<string>;
  /** Applies a manifest, as `tokenctl apply` does. @returns its report @throws {CommandError} */
  apply(manifest?: string | ManifestOptions): Promise<string>;
  /**
   * Replaces positions in the code of a deployed reactor, as in the stack of an invocation, by those of its sources:
   * `reactor.js:30:13` by `reactors/charge.ts:8:9`. Positions stay if the code was not deployed from files, or cannot be read.
   */
  locate(reactorId: string, text: string): Promise<string>;
  /** Deletes the tenant with everything in it, and closes the client. */
  delete(): Promise<void>;
  /** Closes the client. The tenant stays. */
  close(): Promise<void>;
}

/** @param manifest directory of a manifest whose objects the tenant was created with */
export function createTenant(
  credentials: Credentials,
  {
    control,
    ...host
  }: Pick<CommandTarget, 'baseUrl' | 'headerPrefix' | 'certificate'> & { control: ControlClient },
  manifest?: string,
): Tenant {
  const { tenant_id: tenant, keys } = credentials;
  const client = createClient({ ...host, apiKey: keys });
  const target = { ...credentials, ...host };
  const sources: Sources[] = manifest === undefined ? [] : [{ files: [], directory: manifest }];
  const controls = createControls(control, tenant);
  return {
    ...credentials,
    ...controls,
    client,
    seed: async <Of extends Seed>(seed: Of) => (await applySeed(seed, client)) as Seeded<Of>,
    async deploy(...files) {
      const report = await runCommand(['reactor', 'deploy', ...files, '--yes', '-o', 'json'], target);
      sources.push({ files });
      return report;
    },
    async apply(manifest = {}) {
      const options = typeof manifest === 'string' ? { directory: manifest } : manifest;
      const { directory, environment, config = {}, variables } = options;
      const flags = [
        ...(environment === undefined ? [] : ['--environment', environment]),
        ...Object.entries(config).flatMap(([name, value]) => ['--config', `${name}=${value}`]),
      ];
      const report = await runCommand(
        ['apply', ...flags, '--yes', '-o', 'json'],
        target,
        directory,
        variables,
      );
      sources.push({ files: [], directory });
      return report;
    },
    async locate(id, text) {
      if (!hasPositions(text) || sources.length === 0) return text;
      // The test may have deleted the reactor or the key, or injected a fault.
      const reactor = await client.call('reactors.get', { path: { id } }).catch(() => undefined);
      if (!reactor) return text;
      const built = (await buildSources(sources, target)).find(
        ({ name, code }) => name === reactor.name && code === reactor.code,
      );
      return built ? locate(text, built) : text;
    },
    async delete() {
      await controls.outbound.close();
      await control.call('tenants.delete', { path: { id: tenant } });
      await client.close();
    },
    async close() {
      await controls.outbound.close();
      await client.close();
    },
  };
}

/** What was deployed: files, or the reactors of a manifest. */
interface Sources {
  files: readonly string[];
  directory?: string | undefined;
}

/** Builds reactors again. Those that cannot be built any more are left out. */
async function buildSources(sources: readonly Sources[], target: CommandTarget): Promise<BuiltReactor[]> {
  const built = sources.map(async ({ files, directory = '' }) => {
    const report = await runCommand(
      ['reactor', 'build', ...files, '-o', 'json'],
      target,
      directory || undefined,
    );
    const { reactors } = JSON.parse(report) as { reactors: BuiltReactor[] };
    return reactors.map((one) => ({ ...one, file: resolve(directory, one.file) }));
  });
  return (await Promise.all(built.map((one) => one.catch(() => [])))).flat();
}

async function applySeed(
  { applications = [], reactors = [], tokens = [] }: Seed,
  { call }: Client,
): Promise<Seeded> {
  return {
    applications: addNames(await inOrder(applications, (body) => call('applications.create', { body }))),
    reactors: addNames(await inOrder(reactors, (body) => call('reactors.create', { body }))),
    tokens: await inOrder(tokens, (body) => call('tokens.create', { body })),
  };
}

async function inOrder<Body, Item>(bodies: readonly Body[], create: (body: Body) => Promise<Item>) {
  const items: Item[] = [];
  for (const body of bodies) items.push(await create(body));
  return items;
}

/** Adds each item to the list under its name, unless a list has a property of that name. */
function addNames<Item extends { name: string }>(items: Item[]): Item[] {
  for (const item of items)
    if (!(item.name in items)) Object.defineProperty(items, item.name, { value: item });
  return items;
}

/** What `tokenctl reactor build --json` prints of a reactor. */
interface BuiltReactor {
  name: string;
  /** Absolute. */
  file: string;
  code: string;
  /** With absolute paths. Absent if the code is the file itself. */
  source_map?: SourceMapPayload;
}

const POSITION = /(?<![\w./-])reactor\.js:(\d+):(\d+)/g;

const hasPositions = (text: string): boolean => text.search(POSITION) >= 0;

/** Replaces positions of the built code by those of its sources, relative to the working directory. */
function locate(text: string, { file, source_map }: BuiltReactor): string {
  const map = source_map && new SourceMap(source_map);
  return text.replaceAll(POSITION, (built, line: string, column: string) => {
    if (!map) return `${relative('', file)}:${line}:${column}`;
    const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in entry)) return built;
    return `${relative('', entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
