import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Context } from '../../command.js';
import type { Settings } from '../../config/settings.js';
import { CliError } from '../../lib/errors.js';
import { requireRunningState } from '../shared/running-emulator.js';

/** The program that opens a URL in the browser, by platform; xdg-open on others. */
const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens the dashboard in the browser, or prints its URL where there is no display. */
export async function run(_options: object, context: Context): Promise<void> {
  const { output, settings } = context;
  const { dashboard_url: url } = await requireRunningState(context);
  if (url === undefined)
    throw new CliError('failed', 'The state file of this emulator has no dashboard URL.');
  const [program, ...args] = OPENERS[settings.platform] ?? ['xdg-open'];
  if (hasDisplay(settings) && (await start(program, [...args, url])))
    return output.notice('Opening the dashboard …');
  await output.result({ dashboard_url: url }, { redaction: 'plain', render: () => url });
}

/** Reports whether there is a screen for a browser, which over SSH and in a container there is not. */
function hasDisplay({ platform, env }: Settings): boolean {
  return platform === 'darwin' || platform === 'win32' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** Starts a program that outlives this process. Returns false if it cannot be started. */
function start(program: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  child.unref();
  return once(child, 'spawn').then(
    () => true,
    () => false,
  );
}
