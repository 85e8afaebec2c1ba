import { basename, dirname, resolve } from 'node:path';
import { type Client, createClient } from '../../../client/client.js';
import { selectKey } from '../../../client/connection.js';
import { ServiceError } from '../../../client/errors.js';
import { isObject } from '../../../contract/json.js';
import type { OperationInput } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import { PROJECT_FILE_NAMES } from '../../config/paths.js';
import { createInProcessTransport } from '../../emulator/in-process-client.js';
import type { Emulator } from '../../emulator/launch.js';
import { readDocument } from '../../lib/document.js';
import { usageError } from '../../lib/errors.js';
import { findIds, readApplications } from '../../lib/lookup.js';
import { readTextFile } from '../../lib/text-file.js';

/** The content of a seed file: create requests. The code of a reactor can be `@file`, relative to the seed file. */
interface Seed {
  tokens: OperationInput<'tokens.create'>['body'][];
  reactors: OperationInput<'reactors.create'>['body'][];
  applications: OperationInput<'applications.create'>['body'][];
}

const PARTS = ['tokens', 'reactors', 'applications'] as const;

/** Reads a seed file, JSON or YAML. @throws {CliError} when it is not valid */
export async function readSeed(file: string, { settings }: Context): Promise<Seed> {
  const path = resolve(settings.cwd, file);
  const content = await readDocument(path, `The seed file ${file}`);
  const seed = { tokens: [], reactors: [], applications: [], ...content } as Seed;
  for (const [name, part] of Object.entries(seed)) {
    if (!PARTS.includes(name as (typeof PARTS)[number]))
      throw usageError(
        `The seed file ${file} has an unknown part "${name}". Its parts are ${PARTS.join(', ')}.`,
      );
    if (!Array.isArray(part) || !part.every(isObject))
      throw usageError(`"${name}" in the seed file ${file} must be an array of objects.`);
  }
  const reactors = seed.reactors.map(async (reactor) => ({
    ...reactor,
    configuration: reactor.configuration ?? {},
    code: await readCode(reactor.code, dirname(path)),
  }));
  return { ...seed, reactors: await Promise.all(reactors) };
}

/** Reads the code of a reactor that is given as `@file`. */
async function readCode(code: string, directory: string): Promise<string> {
  if (typeof code !== 'string' || !code.startsWith('@')) return code;
  return readTextFile(resolve(directory, code.slice(1)), `The code ${code} in the seed file`);
}

/** Creates what a file describes. Returns the number of items created. */
type ApplySeed = (client: Client) => Promise<number>;

/**
 * Reads a seed file, or a manifest, whose secrets are then made up.
 * @throws {CliError} when it is not valid
 */
export async function prepareSeed(file: string, context: Context): Promise<ApplySeed> {
  if (PROJECT_FILE_NAMES.includes(basename(file))) {
    const { applyManifestSeed, readManifestSeed } = await import('./manifest-seed.js');
    const config = await readManifestSeed(resolve(context.settings.cwd, file), context);
    return (client) => applyManifestSeed(config, client, context);
  }
  const seed = await readSeed(file, context);
  return (client) => applySeed(seed, client);
}

export async function seedEmulator(seed: ApplySeed, emulator: Emulator, { signal }: Context): Promise<void> {
  const client = createClient({
    connect: async () => ({
      // Closing the client must not close the emulator.
      transport: { ...createInProcessTransport(emulator, 'the emulator'), close: async () => {} },
      apiKey: (permission) => selectKey(emulator.keys, permission),
    }),
    signal,
  });
  await seed(client);
}

/**
 * Creates the items that do not exist yet: tokens by id, reactors and applications by name.
 * @returns the number of items created
 */
async function applySeed({ tokens, reactors, applications }: Seed, client: Client): Promise<number> {
  let created = 0;
  const existing = applications.length > 0 ? await readApplications(client) : [];
  const known = new Set(existing.map(({ name }) => name));
  for (const [index, body] of applications.entries()) {
    if (known.has(body.name)) continue;
    await withEntryPath(`applications.${index}`, client.call('applications.create', { body }));
    known.add(body.name);
    created++;
  }
  for (const [index, body] of tokens.entries())
    if (await withEntryPath(`tokens.${index}`, createToken(body, client))) created++;
  for (const [index, body] of reactors.entries()) {
    if ((await findIds(client, 'reactor', body.name)).length > 0) continue;
    await withEntryPath(`reactors.${index}`, client.call('reactors.create', { body }));
    created++;
  }
  return created;
}

/** Adds the entry of the seed file to the property paths of a rejected request. */
async function withEntryPath<T>(entry: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.problem.errors) throw error;
    const errors = Object.fromEntries(
      Object.entries(error.problem.errors).map(([path, messages]) => [`${entry}.${path}`, messages]),
    );
    throw new ServiceError(error.status, { ...error.problem, errors }, error.traceId, error.retryAfter);
  }
}

/** Returns false for a 409: an earlier run created the token. */
async function createToken(body: Seed['tokens'][number], client: Client): Promise<boolean> {
  try {
    await client.call('tokens.create', { body });
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 409) return false;
    throw error;
  }
}
