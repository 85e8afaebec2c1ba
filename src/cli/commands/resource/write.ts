import { hasSecrets, type Resource } from '../../../contract/resources.js';
import type { Context } from '../../command.js';
import { createReactorLoader } from '../../emulator/reactor-loader.js';
import type { CodeProblem } from '../../lib/annotations.js';
import { callResource, resolveId } from '../../lib/lookup.js';
import { rejectPlaceholder } from '../../lib/placeholder.js';
import { ReactorCodeError } from '../../reactors/build/bundling-problems.js';
import { deleteEach, describeReferences } from '../shared/batch.js';
import { asks, confirmDeletion } from '../shared/confirm.js';
import { isDenied, printWritten } from '../shared/entity-names.js';
import { requireFlags } from '../shared/flag-values.js';
import { readPatch } from '../shared/input.js';
import { type Body, codesOf, flagText, type ResourceOptions, readBody } from './body.js';
import { viewOf } from './view.js';

const requiredFields = ({ fields }: Resource) => Object.entries(fields).filter(([, field]) => field.required);

function requireFields(resource: Resource, body: Body, hint?: string): void {
  const values = requiredFields(resource).map(([name, field]) => [flagText(name, field), body[name]]);
  requireFlags(Object.fromEntries(values), hint);
}

/** Checks what the service would accept and should not get: placeholders of hidden values, and code that cannot be loaded. */
async function assertSendable(resource: Resource, body: Body): Promise<void> {
  if (hasSecrets(resource)) rejectPlaceholder(body);
  const codes = codesOf(resource, body);
  if (Object.keys(codes).length === 0) return;
  await assertLoadable(codes);
}

function withDefaults(resource: Resource, given: Body): Body {
  const defaults = requiredFields(resource).flatMap(([name, field]) =>
    field.default === undefined || name in given ? [] : [[name, field.default]],
  );
  return { ...given, ...Object.fromEntries(defaults) };
}

export async function create(resource: Resource, options: ResourceOptions, context: Context): Promise<void> {
  const body = withDefaults(resource, await readBody(resource, options, context));
  requireFields(resource, body);
  await assertSendable(resource, body);
  const created = await callResource(context.client, resource, 'create', { body });
  await printWritten(created, resource.noun, viewOf(resource), context);
}

const idOf = async (resource: Resource, options: ResourceOptions, { client }: Context) => ({
  id: await resolveId(client, resource.noun, String(options[resource.noun])),
});

export async function replace(resource: Resource, options: ResourceOptions, context: Context): Promise<void> {
  const { noun } = resource;
  const body = await readBody(resource, options, context);
  const whole = `\`${noun} replace\` replaces the whole ${noun}`;
  requireFields(resource, body, `${whole}; to change parts of it, use \`tokenctl ${noun} update\`.`);
  await assertSendable(resource, body);
  const path = await idOf(resource, options, context);
  const replaced = await callResource(context.client, resource, 'replace', { path, body });
  await printWritten(replaced, resource.noun, viewOf(resource), context);
}

export async function update(resource: Resource, options: ResourceOptions, context: Context): Promise<void> {
  const { verbs, fields } = resource;
  const given = await readBody(resource, options, context);
  if (!verbs.includes('update')) return replaceFields(resource, given, options, context);
  const some = requiredFields(resource).filter(([, { kind }]) => kind !== 'map');
  const map = Object.values(fields).find(({ entryFlag }) => entryFlag)?.entryFlag;
  const atLeast = [...some.map(([name, field]) => flagText(name, field)), ...(map ? [`--${map.name}`] : [])];
  const body = await readPatch(options.patch as string | undefined, given, context, atLeast.join(', '));
  await assertSendable(resource, body);
  const path = await idOf(resource, options, context);
  await callResource(context.client, resource, 'update', { path, body });
  await printUpdated(resource, path, context);
}

async function printUpdated(resource: Resource, path: { id: string }, context: Context): Promise<void> {
  const { noun } = resource;
  try {
    const updated = await callResource(context.client, resource, 'get', { path });
    await printWritten(updated, noun, viewOf(resource), context);
  } catch (error) {
    context.output.notice(`Updated ${noun} ${path.id}.`);
    if (!isDenied(error)) throw error;
  }
}

/** Changes the given fields and keeps the others, where the service replaces an object as a whole. */
async function replaceFields(
  resource: Resource,
  given: Body,
  options: ResourceOptions,
  context: Context,
): Promise<void> {
  const path = await idOf(resource, options, context);
  const current = (await callResource(context.client, resource, 'get', { path })) as Body;
  const names = Object.keys(resource.fields).filter((name) => current[name] !== undefined);
  const body = { ...Object.fromEntries(names.map((name) => [name, current[name]])), ...given };
  const replaced = await callResource(context.client, resource, 'replace', { path, body });
  await printWritten(replaced, resource.noun, viewOf(resource), context);
}

const HINT = 'To store it all the same, send the request yourself: tokenctl api --help.';

/** Checks code before it is uploaded: the service would store it, and fail when it is invoked. */
async function assertLoadable(codes: Readonly<Record<string, string | undefined>>): Promise<void> {
  const loader = createReactorLoader();
  const problems: CodeProblem[] = [];
  try {
    for (const [file, code] of Object.entries(codes)) {
      const problem = code === undefined ? undefined : await loader.load(code, file);
      // What the code throws may depend on the runtime of the service, such as a module that only Node.js has.
      if (problem && !problem.isThrown) problems.push({ ...problem, file });
    }
  } finally {
    await loader.close();
  }
  if (problems.length > 0) throw new ReactorCodeError('The code is not a valid reactor.', problems, HINT);
}

export async function remove(resource: Resource, options: ResourceOptions, context: Context): Promise<void> {
  const references = [options[resource.noun] as string | string[]].flat();
  const ids = new Map<string, string>();
  // Nobody is asked about a name that does not exist.
  if (asks(context))
    for (const one of references) ids.set(one, await resolveId(context.client, resource.noun, one));
  await confirmDeletion(describeReferences(resource, references), context);
  await removeEach(resource, references, context, ids);
}

/** Deletes objects without a question. @param ids of the references that are resolved already */
export async function removeEach(
  resource: Resource,
  references: readonly string[],
  context: Context,
  ids: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const { client } = context;
  const removeOne = async (reference: string) => {
    const id = ids.get(reference) ?? (await resolveId(client, resource.noun, reference));
    await callResource(client, resource, 'delete', { path: { id } });
  };
  await deleteEach(resource, references, removeOne, context);
}
