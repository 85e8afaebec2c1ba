import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { selectKey } from '../../../client/api-keys.js';
import { type Client, createClient } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import { everyItem } from '../../../client/pages.js';
import { isObject } from '../../../contract/json.js';
import type { OperationInput } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import { createInProcessTransport } from '../../emulator/in-process-transport.js';
import type { Emulator } from '../../emulator/launch.js';
import { usageError } from '../../lib/errors.js';
import { keepsNumbers, ROUNDED } from '../../lib/json.js';
import { textOf } from '../../lib/text-decoding.js';
import { findReactorsByName } from '../../reactors/plan/lookup.js';

/** What `--seed FILE` and `emulator seed FILE` hold: create requests. The code of a reactor may be `@file`. */
export interface Seed {
  tokens: OperationInput<'tokens.create'>['body'][];
  reactors: OperationInput<'reactors.create'>['body'][];
  applications: OperationInput<'applications.create'>['body'][];
}

const PARTS = ['tokens', 'reactors', 'applications'] as const;

/** @throws {CliError} when it is no seed file. */
export async function readSeed(file: string, { settings }: Context): Promise<Seed> {
  const path = resolve(settings.cwd, file);
  const content = await parse(await read(path, `The seed file ${file}`), file);
  const seed = { tokens: [], reactors: [], applications: [], ...content } as Seed;
  for (const [name, part] of Object.entries(seed)) {
    if (!PARTS.includes(name as (typeof PARTS)[number]))
      throw usageError(`The seed file ${file} has an unknown part "${name}"; there are ${PARTS.join(', ')}.`);
    if (!Array.isArray(part) || !part.every(isObject))
      throw usageError(`"${name}" of the seed file ${file} must be an array of objects.`);
  }
  const reactors = seed.reactors.map(async (reactor) => ({
    ...reactor,
    configuration: reactor.configuration ?? {},
    code:
      typeof reactor.code === 'string' && reactor.code.startsWith('@')
        ? await read(
            resolve(dirname(path), reactor.code.slice(1)),
            `The code ${reactor.code} of the seed file`,
          )
        : reactor.code,
  }));
  return { ...seed, reactors: await Promise.all(reactors) };
}

async function read(path: string, what: string): Promise<string> {
  const bytes = await readFile(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw usageError(`${what} cannot be read: ${code}.`);
  });
  return textOf(bytes, what);
}

async function parse(text: string, file: string): Promise<object> {
  const isYaml = /\.ya?ml$/.test(file);
  let content: unknown;
  try {
    content = isYaml ? (await import('yaml')).default.parse(text) : JSON.parse(text);
  } catch {
    throw usageError(`The seed file ${file} is neither JSON nor, by its name, YAML.`);
  }
  if (!isYaml && !keepsNumbers(text)) throw usageError(`The seed file ${file} ${ROUNDED}.`);
  if (!isObject(content))
    throw usageError(`The seed file ${file} must hold an object with ${PARTS.join(', ')}.`);
  return content;
}

/** Puts a seed into an emulator of this process. */
export async function seedEmulator(seed: Seed, emulator: Emulator, { signal }: Context): Promise<void> {
  const client = createClient({
    connect: async () => ({
      // The emulator goes on after its seed.
      transport: { ...createInProcessTransport(emulator, 'the emulator'), close: async () => {} },
      apiKey: (permission) => selectKey(emulator.keys, permission),
    }),
    signal,
  });
  await applySeed(seed, client);
}

/** Creates what is not there yet: tokens by id, reactors and applications by name. Gives the number of what it created. */
export async function applySeed({ tokens, reactors, applications }: Seed, client: Client): Promise<number> {
  let created = 0;
  const known = applications.length > 0 ? await applicationNames(client) : new Set<string>();
  for (const [index, body] of applications.entries()) {
    if (known.has(body.name)) continue;
    await ofEntry(`applications.${index}`, client.call('applications.create', { body }));
    known.add(body.name);
    created++;
  }
  for (const [index, body] of tokens.entries())
    if (await ofEntry(`tokens.${index}`, createToken(body, client))) created++;
  for (const [index, body] of reactors.entries()) {
    if ((await findReactorsByName(client, body.name)).length > 0) continue;
    await ofEntry(`reactors.${index}`, client.call('reactors.create', { body }));
    created++;
  }
  return created;
}

/** A refusal says which entry of the file it is about: the service knows the one request alone. */
async function ofEntry<T>(entry: string, call: Promise<T>): Promise<T> {
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

async function applicationNames(client: Client): Promise<Set<string>> {
  const names = new Set<string>();
  const applications = everyItem((page, size) => client.call('applications.list', { query: { page, size } }));
  for await (const { name } of applications) names.add(name);
  return names;
}

/** False when its id is taken: it was seeded before. */
async function createToken(body: Seed['tokens'][number], client: Client): Promise<boolean> {
  try {
    await client.call('tokens.create', { body });
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 409) return false;
    throw error;
  }
}
