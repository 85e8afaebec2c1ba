// The commands that a row of the table of resources stands for.
import { operationOf, operationRow } from '../../contract/operations.js';
import type { Resource, Verb } from '../../contract/resources.js';
import { type CommandRow, defineCommand, type Examples, from } from '../command.js';
import { fieldFlags } from '../flags/field-flags.js';
import type { Argument, Arguments, Flags } from '../flags/flag.js';
import { PAGE_FLAGS } from '../flags/globals.js';

interface CommandTexts {
  examples: Examples;
  summary?: string;
  details?: string;
  variadic?: true;
  /** Flags in addition to those of the fields, or in place of them. */
  flags?: Flags;
  operations?: CommandRow['operations'];
  /** What is special about the command, in place of the generic one. */
  load?: CommandRow['load'];
}

const CODE_CHECK =
  'Code that does not parse, exports no function or cannot be loaded within the limits is not sent.';

const readModule = () => import('../commands/resource/read.js');
const writeModule = () => import('../commands/resource/write.js');

const GENERIC = {
  create: from(writeModule, 'create'),
  replace: from(writeModule, 'replace'),
  update: from(writeModule, 'update'),
  list: from(readModule, 'list'),
  get: from(readModule, 'get'),
  delete: from(writeModule, 'remove'),
};

export function resourceArgument({ noun }: Resource): Argument {
  return { suggest: noun, description: `${noun} id or exact name` };
}

/** Whether the command changes an object by a merge patch; otherwise it reads the object and replaces it. */
const takesPatch = ({ verbs }: Resource): boolean => verbs.includes('replace') && verbs.includes('update');

const mainOperation = (resource: Resource, verb: Verb) =>
  operationOf(resource, verb === 'update' && !resource.verbs.includes('update') ? 'replace' : verb);

function listFlags({ noun, collection, filters }: Resource): Flags {
  return {
    ...(filters.includes('id') && {
      id: { value: 'ID', list: true, suggest: noun, description: `only ${collection} with these ids` },
    }),
    ...(filters.includes('name') && {
      name: {
        value: 'PATTERN',
        description: `only ${collection} whose name contains this text, or matches it if it has * or ?`,
      },
    }),
    ...PAGE_FLAGS,
  };
}

function flagsOf(resource: Resource, verb: Verb): Flags {
  if (verb === 'list') return listFlags(resource);
  if (verb === 'get' || verb === 'delete') return {};
  const patch = { value: 'JSON|@FILE|-', description: 'merge patch, to which the other flags are added' };
  return { ...(verb === 'update' && takesPatch(resource) && { patch }), ...fieldFlags(resource, verb) };
}

function detailsOf({ fields }: Resource, verb: Verb, details: string | undefined): string | undefined {
  const hasCode = Object.values(fields).some(({ kind }) => kind === 'code' || kind === 'transform');
  if (!hasCode || !['create', 'replace', 'update'].includes(verb)) return details;
  return details === undefined ? CODE_CHECK : `${details} ${CODE_CHECK}`;
}

export function resourceCommand(resource: Resource, verb: Verb, texts: CommandTexts): CommandRow {
  const { noun } = resource;
  const operation = mainOperation(resource, verb);
  const named = verb !== 'create' && verb !== 'list';
  const flags = { ...flagsOf(resource, verb), ...texts.flags };
  const details = detailsOf(resource, verb, texts.details);
  const operations = [
    // An update reads the object as well: before it is replaced, or after it is patched.
    ...(verb === 'update' || verb === 'delete' ? [operation] : []),
    ...(named ? [operationOf(resource, 'list')] : []),
    ...(texts.operations ?? []),
  ];
  const load = async () => {
    const run = await GENERIC[verb]();
    return run.bind(undefined, resource);
  };
  const row = defineCommand<Flags, Arguments>(`${noun} ${verb}`, load, {
    summary: texts.summary ?? operationRow(operation).summary,
    ...(details !== undefined && { details }),
    operations,
    ...(verb !== 'delete' && { prints: verb === 'update' ? operationOf(resource, 'get') : operation }),
    ...(verb === 'update' && takesPatch(resource) && { aliases: ['patch'] }),
    ...(named && {
      arguments: { [noun]: { ...resourceArgument(resource), ...(texts.variadic && { variadic: true }) } },
    }),
    ...(Object.keys(flags).length > 0 && { flags }),
    examples: texts.examples,
  });
  return texts.load ? { ...row, load: texts.load } : row;
}
