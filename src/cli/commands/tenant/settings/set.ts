import type { Context } from '../../../command.js';
import { changeTenant, parseSettings } from '../change.js';

export async function run({ setting }: { setting: string[] }, context: Context): Promise<void> {
  const { settings } = await changeTenant({ settings: parseSettings(setting, '<setting>') }, context);
  await context.output.result(settings, { redaction: 'plain' });
}
