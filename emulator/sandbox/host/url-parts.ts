/** The parts of a URL object, which the host parses and the prelude's own `URL` shows. */
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
