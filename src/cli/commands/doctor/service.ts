import type { Context } from '../../command.js';
import { resolveKeys, resolveTarget, type Target } from '../../config/target.js';
import { CliError } from '../../lib/errors.js';
import { toFailure } from '../../lib/failure.js';
import { describeKey, permissionsOf } from '../auth/keys.js';
import type { Check, CheckResult } from './check.js';

export const checkService: Check = async (context) => {
  const check = 'service';
  let target: Target;
  try {
    target = await resolveTarget(context.settings);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const { detail, hint } = error.failure;
    return [{ check, status: 'problem', detail, ...(hint !== undefined && { fix: hint }) }];
  }
  const found: CheckResult = { check, status: 'ok', detail: `${target.baseUrl} (${target.source})` };
  return [found, ...checkProxy(target, context), ...(await checkKeys(target, context))];
};

function checkProxy({ baseUrl }: Target, { settings: { proxies } }: Context): CheckResult[] {
  const proxy = baseUrl.startsWith('https:') ? proxies.https : proxies.http;
  if (!proxy) return [];
  // A proxy URL can contain a password.
  const { host } = new URL(proxy);
  return [
    { check: 'proxy', status: 'ok', detail: `${host}${proxies.none ? `, except for ${proxies.none}` : ''}` },
  ];
}

async function checkKeys(target: Target, context: Context): Promise<CheckResult[]> {
  const keys = Object.entries(await resolveKeys(context.settings, target)).filter(
    ([, key]) => key !== undefined,
  );
  if (keys.length === 0)
    return [
      {
        check: 'keys',
        status: 'problem',
        detail: 'there is no API key',
        fix: 'Set TOKENCTL_API_KEY, or run: tokenctl auth login',
      },
    ];
  try {
    return await Promise.all(keys.map(([name, key]) => checkKey(name, key as string, context)));
  } catch (error) {
    const { detail, hint } = toFailure(error);
    return [{ check: 'connection', status: 'problem', detail, ...(hint !== undefined && { fix: hint }) }];
  }
}

async function checkKey(name: string, value: string, context: Context): Promise<CheckResult> {
  const { valid, application, error } = await describeKey(name, value, context);
  const check = `${name} key`;
  if (!valid)
    return { check, status: 'problem', detail: 'the service does not accept it', fix: 'tokenctl auth login' };
  if (!application)
    return { check, status: 'warning', detail: error ?? 'the service does not report its application' };
  if (name !== 'any' && name !== application.type)
    return {
      check,
      status: 'warning',
      detail: `this is a ${application.type} key`,
      fix: `Store it with that type: tokenctl auth login, or TOKENCTL_${application.type.toUpperCase()}_KEY`,
    };
  return { check, status: 'ok', detail: `${application.name}: ${[...permissionsOf(application)].join(' ')}` };
}
