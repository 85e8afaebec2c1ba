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
import { unlessStatus } from '../../lib/key-owner.js';
import { findIds, readApplications } from '../../lib/lookup.js';
import { readTextFile } from '../../lib/text-file.js';

/** The content of a seed file: create requests. The code of a reactor can be `@file`, relative to the seed file. */
interface Seed {
  tokens: OperationInput<'tokens.create'>['body'][];
  reactors: OperationInput<'reactors.create'>['body'][];
  applications: OperationInput<'applications.create'>['body'][];
}

const PARTS = ['tokens', 'reactors', 'applications'] as const;

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

async function readCode(code: string, directory: string): Promise<string> {
  if (typeof code !== 'string' || !code.startsWith('@')) return code;
  return readTextFile(resolve(directory, code.slice(1)), `The code ${code} in the seed file`);
}

/** Creates what a file describes. Returns the number of items created. */
type ApplySeed = (client: Client) => Promise<number>;

/** Reads a seed file, or a manifest, whose secrets are then made up. */
export async function prepareSeed(file: string, context: Context): Promise<ApplySeed> {
  if (PROJECT_FILE_NAMES.includes(basename(file))) {
    const { applyManifestSeed, readManifestSeed } = await import('./manifest-seed.js');
    const config = await readManifestSeed(resolve(context.settings.cwd, file), context);
    return (client) => applyManifestSeed(config, client, context);
  }
  const seed = await readSeed(file, context);
  return (client) => applySeed(seed, client, (path) => locate(file, path, context));
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

/** Creates the items that do not exist yet, and returns their number: tokens by id, reactors and applications by name. */
async function applySeed(
  { tokens, reactors, applications }: Seed,
  client: Client,
  locate: Locate,
): Promise<number> {
  let created = 0;
  const existing = applications.length > 0 ? await readApplications(client) : [];
  const known = new Set(existing.map(({ name }) => name));
  for (const [index, body] of applications.entries()) {
    if (known.has(body.name)) continue;
    await withEntryPath(`applications.${index}`, client.call('applications.create', { body }), locate);
    known.add(body.name);
    created++;
  }
  for (const [index, body] of tokens.entries()) {
    // A 409: an earlier run created the token.
    const token = unlessStatus([409], client.call('tokens.create', { body }));
    if (await withEntryPath(`tokens.${index}`, token, locate)) created++;
  }
  for (const [index, body] of reactors.entries()) {
    if ((await findIds(client, 'reactor', body.name)).length > 0) continue;
    await withEntryPath(`reactors.${index}`, client.call('reactors.create', { body }), locate);
    created++;
  }
  return created;
}

/** Returns file and line of a property: `seed.json:12`. */
type Locate = (path: readonly string[]) => Promise<string>;

async function locate(file: string, path: readonly string[], { settings }: Context): Promise<string> {
  const { positionIn } = await import('../../manifest/positions.js');
  const keys = path.map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const { line } = await positionIn(resolve(settings.cwd, file), keys);
  return `${file}:${line}`;
}

async function withEntryPath<T>(entry: string, call: Promise<T>, locate: Locate): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { detail, errors = {} } = error.problem;
    const located = Object.entries(errors).map(async ([name, messages]) => {
      const path = `${entry}.${name}`;
      return [`${await locate(path.split('.'))}: ${path}`, messages];
    });
    const problem = {
      ...error.problem,
      detail: `${await locate(entry.split('.'))}: ${entry} was refused: ${detail}`,
      ...(error.problem.errors && { errors: Object.fromEntries(await Promise.all(located)) }),
    };
    throw new ServiceError(error.status, problem, error.traceId, error.retryAfter);
  }
}
