import type { Context } from '../../command.js';
import type { View } from '../../output/view.js';
import { printItem } from '../shared/actor-names.js';

/**
 * Prints an object with a new key. The service shows the key only once, so no choice of fields leaves it out.
 * @param notice what to do with the key
 */
export async function printWithKey(
  object: { key?: string | undefined },
  notice: string,
  view: View,
  context: Context,
): Promise<void> {
  const { output } = context;
  await printItem(object, { ...view, always: ['key'] }, context);
  if (await isLost(object, output.settings.jq))
    output.warn(`The --jq filter omits the key, which is shown only once: ${object.key}`);
  else output.notice(notice);
}

async function isLost(object: { key?: string | undefined }, jq: string | undefined): Promise<boolean> {
  if (jq === undefined || object.key === undefined) return false;
  const { filterWithJq } = await import('../../output/jq.js');
  return !(await filterWithJq(object, jq, { compact: true })).includes(object.key);
}
