import { createHash } from 'node:crypto';
import { stringify } from 'safe-stable-stringify';
import type { Reactor } from '../../../contract/schemas/index.js';

/** What a deployment sets of a reactor: everything that the service stores except IDs and times. */
export interface ReactorContent {
  name: string;
  code: string;
  configuration: Record<string, string>;
  /** The ID of the application; null for none. */
  application: string | null;
}

/** Extracts the content of a reactor of the service. */
export function toContent({ name, code, configuration, application }: Reactor): ReactorContent {
  return { name, code, configuration, application: application?.id ?? null };
}

/** Returns the SHA-256 of a reactor's content in hexadecimal. The order of properties does not matter. */
export function hashContent(content: ReactorContent): string {
  return createHash('sha256').update(stringify(content)).digest('hex');
}
