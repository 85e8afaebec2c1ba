/** Endpoints of the API family that the emulator does not have, by what their paths begin with; decided, The family as it is today. */
const NOT_EMULATED: readonly (readonly [path: string, name: string])[] = [
  ['/3ds', '3-D Secure'],
  ['/account-updater', 'account updater'],
  ['/agentic', 'agents'],
  ['/apple-pay', 'Apple Pay'],
  ['/google-pay', 'Google Pay'],
  ['/network-tokens', 'network tokens'],
  ['/reactor-formulas', 'reactor formulas'],
  ['/roles', 'roles'],
  ['/tenants/self/connections', 'tenant connections'],
  ['/tenants/self/invitations', 'invitations'],
  ['/tenants/self/members', 'members'],
  ['/tenants/self/owner', 'owners'],
  ['/tenants/self/security-contact', 'security contacts'],
  ['/tenants/[^/]+/merchants', 'merchants'],
];

/** Returns the name of what a path of the family is about; undefined for a path that the family does not have. */
export const nameOfNotEmulated = (path: string): string | undefined =>
  NOT_EMULATED.find(([beginning]) => new RegExp(`^${beginning}(/|$)`).test(path))?.[1];
