import { useState } from 'preact/hooks';
import type { Reactor } from '../../../../../src/contract/schemas/index.js';
import type { HttpResponse } from '../../api/http.js';
import { Outcome } from '../../components/exchange.js';
import { Select, TextField } from '../../components/fields.js';
import { Form, parseJson } from '../../components/form.js';
import { Panel } from '../../components/page.js';
import { Status } from '../../components/text.js';
import { useService } from '../../hooks/workbench.js';

const MODES = [
  ['sync', 'Wait for the result'],
  ['async', 'Keep the result for 24 hours'],
  ['callback', 'Send the result to a URL'],
] as const;

/** Invokes a reactor, and shows its result and where the time went. */
export function Invocation({ reactor }: { reactor: Reactor }) {
  const service = useService();
  const [args, setArgs] = useState('{}');
  const [mode, setMode] = useState('sync');
  const [callbackUrl, setCallbackUrl] = useState('');
  const [response, setResponse] = useState<HttpResponse | undefined>();

  async function invoke() {
    setResponse(undefined);
    const body = {
      args: parseJson('Arguments', args),
      ...(mode === 'callback' && { callback_url: callbackUrl }),
    };
    const path = `/reactors/${reactor.id}/${mode === 'async' ? 'react-async' : 'react'}`;
    setResponse(await service.send({ method: 'POST', path, as: 'private', body: JSON.stringify(body) }));
  }

  const traceId = response?.headers.get(service.headers.traceId) ?? '';
  return (
    <>
      <Panel title="Invoke">
        <Form label="Invoke" submit="Invoke" onSubmit={invoke}>
          <TextField
            label="Arguments"
            rows={5}
            value={args}
            onChange={setArgs}
            hint={
              <>
                JSON. <code>{'{{ <token id> }}'}</code> becomes the data of the token. Ctrl+Enter invokes.
              </>
            }
          />
          <Select label="Result" value={mode} options={MODES} onChange={setMode} />
          {mode === 'callback' && (
            <TextField
              label="Callback URL"
              type="url"
              value={callbackUrl}
              onChange={setCallbackUrl}
              placeholder="http://127.0.0.1:3000/callback"
              required
            />
          )}
        </Form>
      </Panel>
      {response && (
        <Panel title="Result" chip={<Status value={response.status} />}>
          <Outcome key={traceId} traceId={traceId} received={response.body} withTraces />
        </Panel>
      )}
    </>
  );
}
