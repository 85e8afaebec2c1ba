import { spawn } from 'node:child_process';
import type { Context } from '../../command.js';
import { CliError } from '../../lib/errors.js';
import { requireRunningState } from '../shared/running-emulator.js';

/** The program that opens a URL in the browser, by platform; xdg-open on others. */
const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

export async function run(_options: object, context: Context): Promise<void> {
  const { output, settings } = context;
  const { dashboard_url: url } = await requireRunningState(context);
  if (url === undefined)
    throw new CliError('failed', 'The state file of this emulator has no dashboard URL.');
  const [program, ...args] = OPENERS[settings.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
  child.on('error', () => output.warn(`The browser could not be opened. The dashboard is at ${url}`));
  child.unref();
  output.notice('Opening the dashboard …');
}
