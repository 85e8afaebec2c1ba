import type { JournaledRequest } from '../../../../src/contract/control/request-journal.js';
import { formQuery } from './http.js';

/** Quotes a text for a POSIX shell. */
const quote = (text: string): string =>
  /^[\w/.:=?&%-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** A request in the languages in which people send it again, by name. Masked values stay masked. */
export function snippetsOf(
  { method, path, query, body }: Pick<JournaledRequest, 'method' | 'path' | 'query' | 'body'>,
  apiKeyHeader: string,
): Readonly<Record<string, string>> {
  const target = path + formQuery(query as Record<string, string> | undefined);
  const url = location.origin + target;
  const json = body === undefined ? undefined : JSON.stringify(body);
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const curl = [
    `curl -X ${method} ${quote(url)} -H "${apiKeyHeader}: $TOKENCTL_API_KEY"`,
    ...(json === undefined ? [] : [`-H 'content-type: ${type}' --data ${quote(json)}`]),
  ];
  const headers = [
    `'${apiKeyHeader}': process.env.TOKENCTL_API_KEY`,
    ...(json === undefined ? [] : [`'content-type': '${type}'`]),
  ];
  const options = [
    `method: '${method}'`,
    `headers: { ${headers.join(', ')} }`,
    ...(json === undefined ? [] : [`body: JSON.stringify(${json})`]),
  ];
  return {
    curl: curl.join(' '),
    tokenctl: `tokenctl api ${method} ${quote(target)}${json === undefined ? '' : ` --data ${quote(json)}`}`,
    'Node.js': `await fetch(${JSON.stringify(url)}, { ${options.join(', ')} });`,
  };
}
