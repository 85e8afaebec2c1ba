import { type Client, inBackground } from '../../../client/client.js';
import { ServiceError } from '../../../client/errors.js';
import { isObject } from '../../../contract/json.js';
import { LIMITS } from '../../../contract/limits.js';
import type { Context } from '../../command.js';
import { CliError } from '../../lib/errors.js';
import { shellQuote } from '../../lib/text.js';
import type { View } from '../../output/view.js';

/** An entity by its id. Only applications and reactors have names. */
export interface Reference {
  /** undefined: an actor, which is an application or a reactor. */
  type: string | undefined;
  id: string | undefined;
}

/** Names of the applications and reactors that a table mentions, read in the background. Those that were deleted, or may not be read, keep their ids. */
export class EntityNames {
  readonly #client: Client;
  readonly #names = new Map<string, string>();
  readonly #known = new Set<string>();

  constructor(client: Client) {
    this.#client = inBackground(client);
  }

  /** Reads the names of a page: one request for applications, and one for reactors if an id is of none of these. */
  async load(references: readonly Reference[]): Promise<void> {
    const idsOf = (noun: string) =>
      references.flatMap(({ type = noun, id }) =>
        type !== noun || id === undefined || this.#known.has(id) ? [] : [id],
      );
    const [applications, reactors] = [new Set(idsOf('application')), new Set(idsOf('reactor'))];
    for (const id of [...applications, ...reactors]) this.#known.add(id);
    await this.#read('applications.list', [...applications]);
    const others = [...reactors].filter((id) => !this.#names.has(id));
    await this.#read('reactors.list', others);
  }

  nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }

  async #read(operation: 'applications.list' | 'reactors.list', ids: string[]): Promise<void> {
    for (let i = 0; i < ids.length; i += LIMITS.pageSize.maximum) {
      const id = ids.slice(i, i + LIMITS.pageSize.maximum);
      try {
        const { data } = await this.#client.call(operation, { query: { id, size: id.length } });
        for (const one of data) this.#names.set(one.id, one.name);
      } catch (error) {
        // A table is of use without names, which need permissions of their own.
        if (!isDenied(error)) throw error;
      }
    }
  }
}

export function isDenied(error: unknown): boolean {
  if (error instanceof CliError) return error.failure.category === 'unauthorized';
  return error instanceof ServiceError && (error.status === 401 || error.status === 403);
}

const AUTHORS = ['created_by', 'modified_by'] as const;

/** Adds the names of authors to their ids, for a table: `<id> (support)`. JSON keeps the shape of the API. */
async function withActorNames(item: unknown, { client, output }: Context): Promise<unknown> {
  if (!output.isText || !isObject(item)) return item;
  const actors = AUTHORS.filter((field) => typeof item[field] === 'string');
  const names = new EntityNames(client);
  // What was written is printed even if the names cannot be read.
  await names.load(actors.map((field) => ({ type: undefined, id: String(item[field]) }))).catch(() => {});
  const labels = actors.map((field) => {
    const id = String(item[field]);
    const name = names.nameOf(id);
    return [field, name === id ? id : `${id} (${name})`];
  });
  return { ...item, ...Object.fromEntries(labels) };
}

export async function printItem(item: unknown, view: View, context: Context): Promise<void> {
  await context.output.result(await withActorNames(item, context), view);
}

export async function printWritten(
  item: unknown,
  noun: string,
  view: View,
  { output }: Context,
): Promise<void> {
  await output.result(item, { ...view, brief: true });
  if (output.isText && !output.settings.fields && isObject(item))
    output.notice(`All fields: tokenctl ${noun} get ${shellQuote(String(item.id))}`);
}
