import { MAX_HOST_LENGTH } from '../limits.js';

/** Schemes whose URLs have a host after any number of slashes and backslashes (URL standard, "special scheme"). */
const SPECIAL = /^(?:https?|wss?|ftp|file):/i;

/**
 * Tells whether a text that is about to be parsed as a URL may have a host that is too long to be parsed. Converting a host
 * to ASCII is one native call, which nothing can stop and whose time grows with the square of the host's length.
 */
export function hasLongHost(text: string): boolean {
  if (text.length <= MAX_HOST_LENGTH) return false;
  // As the parser does. The origin of a blob URL is that of the URL inside it.
  const plain = text
    .replace(/[\t\n\r]+/g, '')
    .replace(/^[\0- ]+/, '')
    .replace(/^(?:blob:)+/i, '');
  return findHostPart(plain).length > MAX_HOST_LENGTH;
}

/** Returns the host with its port; for a relative URL that has none, an empty text. */
function findHostPart(text: string): string {
  const special = SPECIAL.exec(text)?.[0];
  if (special !== undefined) return cutHost(text.slice(special.length).replace(/^[/\\]+/, ''));
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length);
  return /^[/\\]{2}/.test(rest) ? cutHost(rest.replace(/^[/\\]+/, '')) : '';
}

/** Cuts off the user info before the host, and everything behind it. */
function cutHost(text: string): string {
  const end = text.search(/[/\\?#]/);
  const authority = end < 0 ? text : text.slice(0, end);
  return authority.slice(authority.lastIndexOf('@') + 1);
}
