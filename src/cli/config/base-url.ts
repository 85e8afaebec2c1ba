import { isLoopback } from '../../client/transport.js';
import { usageError } from '../lib/errors.js';
import { repeatable } from '../lib/text.js';
import type { Settings } from './settings.js';

/** Validates a base URL and removes trailing slashes. @throws {CliError} when it is not an http or https URL */
export function validateBaseUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!/^[a-z]+:\/\//i.test(text) && URL.canParse(`http://${text}`)) {
    const { host } = new URL(`http://${text}`);
    const scheme = isLoopback(`http://${host}`) ? 'http' : 'https';
    throw usageError(`${source} has no scheme. Did you mean ${scheme}://${host}?`);
  }
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw usageError(
      `${source} must be an http or https URL without a query, such as https://api.example.com, not ${repeatable(text)}.`,
    );
  if (url.username || url.password)
    throw usageError(
      `${source} must not contain credentials. API keys come from the environment or a profile.`,
    );
  return url.href.replace(/\/+$/, '');
}

/** Refuses to send keys where others on the network can read them. @throws {CliError} */
export function assertEncrypted(baseUrl: string, { insecure }: Settings): void {
  if (insecure || !isExposed(baseUrl)) return;
  throw usageError(
    `The connection to ${baseUrl} is not encrypted, so the API key would be sent in plain text.`,
    'Use https, or allow it with --insecure.',
  );
}

export function isExposed(baseUrl: string): boolean {
  return baseUrl.startsWith('http:') && !isLoopback(baseUrl);
}
