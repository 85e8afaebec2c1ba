import { escapeControls } from '../lib/text.js';

export interface TenantIdentity {
  id: string;
  /** undefined if the key may not read it. */
  name?: string | undefined;
}

/** Returns what messages call a tenant: `tenant Acme 0c7a…`. */
export function describeTenant({ id, name }: TenantIdentity): string {
  return name === undefined ? `tenant ${id}` : `tenant ${escapeControls(name.replaceAll(/\s+/g, ' '))} ${id}`;
}
