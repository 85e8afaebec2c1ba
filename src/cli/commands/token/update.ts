import { TOKEN_FIELDS } from '../../../contract/token-fields.js';
import type { Context } from '../../command.js';
import type { ContentOptions } from '../../flags/token-flags.js';
import { usageError } from '../../lib/errors.js';
import { rejectPlaceholder } from '../../lib/placeholder.js';
import { printEach } from '../shared/batch.js';
import { parsePairs, readJson, readPatch } from '../shared/input.js';
import { contentBody, fieldsToData, type TokenBody } from './body.js';
import { TOKEN_VIEW } from './view.js';

interface UpdateOptions extends ContentOptions {
  id: string[];
  patch?: string | undefined;
}

export async function run(options: UpdateOptions, context: Context): Promise<void> {
  const { client } = context;
  const { id: ids, field } = options;
  const patch = await patchOf(options, context);
  rejectPlaceholder(patch);
  const update = async (id: string) => {
    const body = field
      ? { ...patch, data: { ...(patch.data as object), ...(await fieldData(id, field, context)) } }
      : patch;
    return client.call('tokens.update', { path: { id }, body });
  };
  await printEach(ids, update, { view: TOKEN_VIEW, what: 'tokens' }, context);
}

async function patchOf(options: UpdateOptions, context: Context): Promise<TokenBody> {
  const { patch, data, field } = options;
  if (data !== undefined && field) throw usageError('--data and --field cannot be used together.');
  const flags = {
    ...(data !== undefined && { data: await readJson(data, '--data', context) }),
    // Fields are added for each token, because their types depend on its type.
    ...(field && { data: {} }),
    ...(await contentBody(options, context)),
  };
  return readPatch(patch, flags, context, '--data, --field, --metadata');
}

const INTEGER_FIELDS = new Set(
  Object.values(TOKEN_FIELDS).flatMap((fields) =>
    Object.keys(fields ?? {}).filter((name) => fields?.[name]?.type === 'integer'),
  ),
);

/** Converts `--field` pairs. The token's type is looked up only if one of the fields depends on it. */
async function fieldData(id: string, fields: readonly string[], { client }: Context): Promise<TokenBody> {
  const names = Object.keys(parsePairs(fields, '--field'));
  if (!names.some((name) => INTEGER_FIELDS.has(name))) return fieldsToData(fields, 'token');
  const { type } = await client.call('tokens.get', { path: { id } });
  return fieldsToData(fields, type);
}
