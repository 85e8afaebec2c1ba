import { useState } from 'preact/hooks';
import { useService } from '../hooks/workbench.js';
import { Select } from './fields.js';
import { Panel } from './page.js';
import { Code, Command, CopyButton } from './text.js';

/** The creation of a token, by language. The key comes from the environment. */
const PROGRAMS: Readonly<Record<string, (url: string, header: string) => string>> = {
  curl: (url, header) =>
    `curl ${url}/tokens -H "${header}: $API_KEY" \\
  -H 'content-type: application/json' \\
  --data '{"type":"token","data":"hello"}'`,
  'Node.js': (url, header) => `const response = await fetch('${url}/tokens', {
  method: 'POST',
  headers: { '${header}': process.env.API_KEY, 'content-type': 'application/json' },
  body: JSON.stringify({ type: 'token', data: 'hello' }),
});
console.log(await response.json());`,
  Python: (url, header) => `import json, os, urllib.request

request = urllib.request.Request(
    "${url}/tokens",
    data=json.dumps({"type": "token", "data": "hello"}).encode(),
    headers={"${header}": os.environ["API_KEY"], "content-type": "application/json"},
)
print(json.load(urllib.request.urlopen(request)))`,
  Go: (url, header) => `body := strings.NewReader(\`{"type":"token","data":"hello"}\`)
request, _ := http.NewRequest("POST", "${url}/tokens", body)
request.Header.Set("${header}", os.Getenv("API_KEY"))
request.Header.Set("content-type", "application/json")
response, err := http.DefaultClient.Do(request)`,
};

/** How a program connects: the address, the keys to copy, and a first request in several languages. */
export function Connect() {
  const { keys, headers } = useService();
  const [language, setLanguage] = useState('curl');
  const program = PROGRAMS[language]?.(location.origin, headers.apiKey) ?? '';
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
      <Select label="Language" value={language} options={Object.keys(PROGRAMS)} onChange={setLanguage} />
      <Code text={program} label={`A first request, ${language}`} />
      <p class="row">
        <CopyButton text={program} label="the program" />
      </p>
    </Panel>
  );
}
