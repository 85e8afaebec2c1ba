import type { OperationRow } from '../operation-row.js';
import { RESOURCES } from '../resources.js';

/** What the operations of a tag are about; the tag is the first segment of their path. */
const TAGS: Readonly<Record<string, string>> = {
  tokens: 'Sensitive data, stored under an id that is safe to keep and to pass on.',
  tokenize: 'Create tokens from any JSON.',
  detokenize: 'Replace the expressions in any JSON by token data.',
  ...Object.fromEntries(Object.values(RESOURCES).map(({ collection, about }) => [collection, about])),
  permissions: 'What applications can be allowed to do.',
  logs: 'The audit log.',
  tenants: 'The account: its settings and its usage.',
  ping: 'Whether the service answers.',
};

/** Returns the tag of an operation. */
export function tagOf({ path }: Pick<OperationRow, 'path'>): string {
  return path.replace(/^\/v2\//, '/').split('/')[1] ?? '';
}

/** Lists the tags with their descriptions. */
export function openApiTags(): { name: string; description: string }[] {
  return Object.entries(TAGS).map(([name, description]) => ({ name, description }));
}
