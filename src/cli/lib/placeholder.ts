import { CliError } from './errors.js';

/** Replaces token data and configuration values that are not shown. Commands that write refuse it as a value. */
export const PLACEHOLDER = '[hidden]';

/** Keeps masked output that is sent back from overwriting the real values. */
export function rejectPlaceholder(body: unknown, path = ''): void {
  if (body === PLACEHOLDER)
    throw new CliError('invalid', `A value is the placeholder ${PLACEHOLDER} of a hidden value.`, {
      errors: { [path || 'body']: ['must be the real value, or omitted'] },
    });
  if (typeof body !== 'object' || body === null) return;
  for (const [name, value] of Object.entries(body)) rejectPlaceholder(value, path ? `${path}.${name}` : name);
}
