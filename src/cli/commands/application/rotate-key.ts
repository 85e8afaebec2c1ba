import { parseDuration } from '../../../contract/durations.js';
import type { ApplicationKey } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import type { Options } from '../../flags/flag.js';
import { usageError } from '../../lib/errors.js';
import { unlessStatus } from '../../lib/key-owner.js';
import { resolveId } from '../../lib/lookup.js';
import { repeatable, shellQuote } from '../../lib/text.js';
import { confirmDeletion } from '../shared/confirm.js';
import { type ConfirmOption, confirmOwnKeyEnd, ownApplication } from '../shared/lock-out.js';
import { KEY_VIEW, printWithKey } from './keys.js';

type RotateOptions = ConfirmOption & { application: string } & Options<'key' | 'overlap'>;

/** Creates a new key. With `--overlap` the key that it replaces ends that much later; no other key ever does. */
export async function run(options: RotateOptions, context: Context): Promise<void> {
  const { application, overlap } = options;
  const { client, output } = context;
  const overlapMs = overlap === undefined ? undefined : parseOverlap(overlap);
  const id = await resolveId(client, 'application', application);
  const old = await keyToReplace(id, options, context);
  if (old && overlapMs !== undefined) await confirmEnd(id, old, options, context);
  const body = old?.name === undefined ? {} : { name: old.name };
  const created = await client.call('applications.keys.create', { path: { id }, body });
  await printWithKey(created, 'Store the new key now; it is shown only once.', KEY_VIEW, context);
  if (!old) return;
  const path = { id, key_id: old.id };
  const deleteCommand = `tokenctl application key delete ${shellQuote(application)} ${old.id}`;
  if (overlapMs === undefined)
    return output.notice(`The key ${describe(old)} still works. When nothing uses it: ${deleteCommand}`);
  if (overlapMs === 0) {
    await client.call('applications.keys.delete', { path });
    return output.notice(`Deleted the key ${describe(old)}. It no longer works.`);
  }
  const end = new Date((Date.parse(created.created_at ?? '') || Date.now()) + overlapMs).toISOString();
  const update = client.call('applications.keys.update', { path, body: { expires_at: end } });
  if (await unlessStatus([404, 405, 501], update))
    return output.notice(`The key ${describe(old)} works until ${end}.`);
  output.warn(
    `This service cannot let a key expire, so nothing ends the key ${describe(old)} by itself. End it: ${deleteCommand}`,
  );
}

async function confirmEnd(id: string, old: ApplicationKey, options: RotateOptions, context: Context) {
  const when = isAtOnce(options) ? 'at once' : `in ${options.overlap}`;
  if (await confirmOwnKeyEnd({ id, key_id: old.id }, options.confirm, context, when)) return;
  if (isAtOnce(options)) await confirmDeletion(`the key ${describe(old)} of ${options.application}`, context);
}

/** Returns the key of `--key`, else the only one, else the one that the command itself uses. */
async function keyToReplace(
  id: string,
  { application, key }: RotateOptions,
  context: Context,
): Promise<ApplicationKey | undefined> {
  const keys = await context.client.call('applications.keys.list', { path: { id } });
  const hint = `Keys: ${keys.map(describe).join(', ')}. List them: tokenctl application key list ${shellQuote(application)}`;
  if (key !== undefined) {
    const found = keys.filter((one) => one.id === key.toLowerCase() || one.last4 === key);
    if (found.length === 1) return found[0];
    throw usageError(
      `--key ${key} is neither the ID nor the last four characters of one key of ${application}.`,
      hint,
    );
  }
  if (keys.length < 2) return keys[0];
  const own = await ownApplication('application:update', context);
  const inUse = own?.id === id ? keys.find((one) => one.id === own.key_id) : undefined;
  if (inUse) return inUse;
  throw usageError(`${application} has ${keys.length} keys. Name the one to replace with --key.`, hint);
}

const isAtOnce = ({ overlap = '' }: RotateOptions): boolean => parseOverlap(overlap) === 0;

const describe = ({ id, last4 }: ApplicationKey): string =>
  last4 === undefined ? id : `${id} (ends in ${last4})`;

function parseOverlap(text: string): number {
  const ms = text === '0' ? 0 : parseDuration(text);
  if (ms !== undefined && ms >= 0) return ms;
  throw usageError(`--overlap must be a duration such as 24h or 7d, or 0, not ${repeatable(text)}.`);
}
