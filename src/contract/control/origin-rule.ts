/** An origin as browsers send it in the `Origin` header; or every port of this machine, for development servers. */
export const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s*]+\/?$|^http:\/\/(?:localhost|127\.0\.0\.1):\*$/i;

/** What an allowed origin may look like; an asterisk alone is never accepted. */
export const ORIGIN_RULE =
  'must be an origin such as https://shop.example, http://localhost:* or http://127.0.0.1:*';
