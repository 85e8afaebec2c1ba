import { useState } from 'preact/hooks';
import type { JournaledRequest } from '../../../../src/contract/control/request-journal.js';
import { buildQuery } from '../../../../src/contract/operation-row.js';
import { contentTypeFor } from '../api/client.js';
import { quote } from '../format.js';
import { useService, useWorkbench } from '../hooks/emulator.js';
import { Field } from './form.js';
import { Panel } from './page.js';
import { Command, CopyButton } from './text.js';

type SentRequest = Pick<JournaledRequest, 'method' | 'path' | 'query' | 'body'>;

/** @param header of the key, which comes from the environment */
function partsOf({ method, path, query, body }: SentRequest, header: string) {
  const target = path + buildQuery(query as Record<string, string> | undefined);
  const json = body === undefined ? undefined : JSON.stringify(body);
  return { method, target, url: location.origin + target, header, type: contentTypeFor(method), json };
}

const LANGUAGES: Readonly<Record<string, (parts: ReturnType<typeof partsOf>) => string>> = {
  curl: ({ method, url, header, type, json }) =>
    [
      `curl -X ${method} ${quote(url)}`,
      `-H "${header}: $API_KEY"`,
      ...(json ? [`-H 'content-type: ${type}'`, `--data ${quote(json)}`] : []),
    ].join(' \\\n  '),
  tokenctl: ({ method, target, json }) =>
    `tokenctl api ${method} ${quote(target)}${json ? ` --data ${quote(json)}` : ''}`,
  'Node.js': ({ method, url, header, type, json }) => `const response = await fetch(${JSON.stringify(url)}, {
  method: '${method}',
  headers: { '${header}': process.env.API_KEY, 'content-type': '${type}' },${json ? `\n  body: JSON.stringify(${json}),` : ''}
});
console.log(response.status, await response.text());`,
  Python: ({ method, url, header, type, json }) => `import os, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    method="${method}",${json ? `\n    data=${JSON.stringify(json)}.encode(),` : ''}
    headers={"${header}": os.environ["API_KEY"], "content-type": "${type}"},
)
print(urllib.request.urlopen(request).read().decode())`,
  Go: ({ method, url, header, type, json = '' }) => `body := strings.NewReader(${JSON.stringify(json)})
request, _ := http.NewRequest("${method}", ${JSON.stringify(url)}, body)
request.Header.Set("${header}", os.Getenv("API_KEY"))
request.Header.Set("content-type", "${type}")
response, err := http.DefaultClient.Do(request)`,
};

/** A request in the languages in which people send it, by name. Masked values stay masked. */
const snippetsOf = (request: SentRequest, header: string): [name: string, text: string][] =>
  Object.entries(LANGUAGES).map(([name, write]) => [name, write(partsOf(request, header))]);

export function CopyAs({ request }: { request: SentRequest }) {
  const { service } = useWorkbench();
  if (!service) return null;
  return (
    <p class="row">
      <span class="quiet">Copy as</span>
      {snippetsOf(request, service.headers.apiKey).map(([name, text]) => (
        <CopyButton key={name} text={text} label={`as ${name}`} name={name} />
      ))}
    </p>
  );
}

const FIRST_REQUEST = { method: 'POST', path: '/tokens', body: { type: 'token', data: 'hello' } };

/** How a program connects: the address, the keys to copy, and a first request in several languages. */
export function Connect() {
  const { keys, headers } = useService();
  const [language, setLanguage] = useState('curl');
  const programs = new Map(snippetsOf(FIRST_REQUEST, headers.apiKey));
  const program = programs.get(language) ?? '';
  const variables = Object.entries(keys).map(
    ([name, key]) => `${name === 'private' ? '' : `${name.toUpperCase()}_`}API_KEY=${key}`,
  );
  return (
    <Panel title="Connect">
      <Command text={location.origin} what="the address" />
      <p class="row">
        <span class="quiet">Copy key</span>
        {Object.entries(keys).map(([name, key]) => (
          <CopyButton key={name} text={key ?? ''} label={`the key ${name}`} name={name} />
        ))}
        <CopyButton
          text={[`BASE_URL=${location.origin}`, ...variables].join('\n')}
          label="the .env file"
          name=".env"
        />
      </p>
      <Field label="Language" value={language} options={[...programs.keys()]} onChange={setLanguage} />
      <div class="code">
        <pre>{program}</pre>
      </div>
      <p class="row">
        <CopyButton text={program} label="the program" />
      </p>
    </Panel>
  );
}
