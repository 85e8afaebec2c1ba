import type { Context } from '../command.js';
import { SCRIPTS } from './completion/scripts.js';

export async function run({ shell }: { shell: string }, { output }: Context): Promise<void> {
  output.text(SCRIPTS[shell] ?? '');
}
