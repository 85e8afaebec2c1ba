import { isObject } from '../../../contract/json.js';
import type { Context } from '../../command.js';
import { usageError } from '../../lib/errors.js';
import { resolveApplicationId } from '../../lib/lookup.js';
import { parsePairs, readJson, readSource } from '../shared/input.js';

export interface ReactorOptions {
  name?: string | undefined;
  code?: string | undefined;
  config?: string[] | undefined;
  configuration?: string | undefined;
  application?: string | false | undefined;
}

/** Reads a flag with code: the code itself, `@FILE`, or `-` for standard input. */
export async function readCode(code: string, flag: string, context: Context): Promise<string> {
  if (code === '-') return readSource('-', flag, context);
  return code.startsWith('@') ? readSource(code.slice(1), flag, context) : code;
}

/** Reads the configuration; undefined if no flag sets it. In an update, `null` removes a name. */
export async function readConfiguration(
  { config, configuration }: Pick<ReactorOptions, 'config' | 'configuration'>,
  context: Context,
): Promise<Record<string, string> | undefined> {
  if (!config && configuration === undefined) return undefined;
  const whole = configuration === undefined ? {} : await readJson(configuration, '--configuration', context);
  if (!isObject(whole)) throw usageError('--configuration must be a JSON object of strings.');
  return { ...(whole as Record<string, string>), ...parsePairs(config ?? [], '--config') };
}

/** Builds a request body of the properties that flags set. */
export async function buildReactorBody(options: ReactorOptions, context: Context) {
  const { name, code, application } = options;
  const configuration = await readConfiguration(options, context);
  return {
    ...(name !== undefined && { name }),
    ...(code !== undefined && { code: await readCode(code, '--code', context) }),
    ...(configuration && { configuration }),
    ...(application === false && { application: null }),
    ...(typeof application === 'string' && {
      application: { id: await resolveApplicationId(context.client, application) },
    }),
  };
}
