/** Returns the path of a URL without its query and a trailing slash, which makes no difference (decisions.md). */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  const end = query < 0 ? url.length : query;
  return url.slice(0, end > 1 && url[end - 1] === '/' ? end - 1 : end);
}
