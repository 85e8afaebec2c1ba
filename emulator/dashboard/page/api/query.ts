type QueryValue = string | number | readonly string[] | Readonly<Record<string, string>> | undefined;

/** Query parameters: an array repeats its name, a map becomes `name.key=value`. */
export type Query = Readonly<Record<string, QueryValue>>;

/** Returns `?id=a&id=b`, or an empty string. */
export function buildQuery(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue;
    if (typeof value !== 'object') parameters.append(name, String(value));
    else if (Array.isArray(value)) for (const item of value) parameters.append(name, item);
    else for (const [key, item] of Object.entries(value)) parameters.append(`${name}.${key}`, item);
  }
  return parameters.size > 0 ? `?${parameters}` : '';
}
