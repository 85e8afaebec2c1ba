/** Properties of a parsed URL, as the host sends them to the `URL` class of the prelude. */
export const URL_PARTS = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

export type UrlPart = (typeof URL_PARTS)[number];
