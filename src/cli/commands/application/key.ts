import type { Application } from '../../../contract/schemas/index.js';
import type { Context } from '../../command.js';
import { APPLICATION_VIEW } from './view.js';

/** Prints an application with its new key. The service shows the key only once, so no choice of fields leaves it out. */
export async function printWithKey(
  application: Application & { key: string },
  notice: string,
  { output }: Context,
): Promise<void> {
  await output.result(application, { ...APPLICATION_VIEW, always: ['key'] });
  if (await isLost(application, output.settings.jq))
    output.warn(`The --jq filter omits the key, which is shown only once: ${application.key}`);
  else output.notice(notice);
}

async function isLost(application: { key: string }, jq: string | undefined): Promise<boolean> {
  if (jq === undefined) return false;
  const { filterWithJq } = await import('../../output/jq.js');
  return !(await filterWithJq(application, jq, { compact: true })).includes(application.key);
}
