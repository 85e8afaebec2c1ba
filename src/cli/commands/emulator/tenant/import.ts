import { resolve } from 'node:path';
import type { Context } from '../../../command.js';
import { parseJson } from '../../../lib/json.js';
import { readTextFile } from '../../../lib/text-file.js';
import { withControl } from '../../shared/running-emulator.js';

export async function run({ file }: { file: string }, context: Context): Promise<void> {
  const content = parseJson(await readTextFile(resolve(context.settings.cwd, file), file), file);
  await withControl(context, (control) => control.call('tenants.import', { body: content }));
  context.output.notice(`Imported the tenant in ${file}. \`tokenctl emulator keys\` shows its keys.`);
}
