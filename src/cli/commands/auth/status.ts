import type { Context } from '../../command.js';
import { resolveKeys } from '../../config/keys.js';
import { resolveTarget } from '../../config/target.js';
import { CliError } from '../../lib/errors.js';
import { describeKey } from './keys.js';

const REPORT_VERSION = 1;

/** Prints the service, the tenant and the application of each key, never the keys. Fails if a key is not accepted. */
export async function run(_options: object, context: Context): Promise<void> {
  const { settings, output } = context;
  const target = await resolveTarget(settings);
  const keys = Object.entries(await resolveKeys(settings, target)).filter(([, value]) => value !== undefined);
  if (keys.length === 0)
    throw new CliError('unauthorized', `There is no API key for ${target.source}.`, {
      hint: 'Set TOKENCTL_API_KEY, use --key-file FILE, or run: tokenctl auth login',
    });
  const reports = await Promise.all(keys.map(([name, value]) => describeKey(name, value, context)));
  const { baseUrl: base_url, source } = target;
  const tenants = reports.flatMap(({ tenant }) => tenant ?? []);
  const tenant = tenants.find(({ name }) => name !== undefined) ?? tenants[0];
  const isReport = output.settings.mode !== 'table';
  await output.result(
    { ...(isReport && { version: REPORT_VERSION }), base_url, source, tenant, keys: reports },
    { redaction: 'plain' },
  );
  if (tenants.some(({ id }) => id !== tenant?.id)) output.warn('The keys belong to different tenants.');
  const refused = reports
    .filter(({ valid }) => !valid)
    .map(({ key }) => (key === 'any' ? 'the key' : `the ${key} key`));
  if (refused.length > 0)
    throw new CliError('unauthorized', `The service does not accept ${refused.join(' and ')}.`, {
      hint: 'Store a new key: tokenctl auth login',
    });
}
