import { useState } from 'preact/hooks';
import { maskContent } from '../../../../src/contract/masking.js';
import { TOKEN_TYPE_NAMES, TOKEN_TYPES, type TokenType } from '../../../../src/contract/token-types.js';
import { callControl } from '../api/control-client.js';
import { Select, TextField } from '../components/fields.js';
import { Form, parseJson } from '../components/form.js';
import { Json, MaskedJson } from '../components/json.js';
import { Page, Panel } from '../components/page.js';
import { formatJson } from '../format.js';
import { useWorkbench } from '../hooks/workbench.js';
import { TOKEN_SAMPLES } from './token-editor.js';

const EXAMPLES = [
  '{{ data | reveal_last: 4 }}',
  "{{ data.number | card_mask: true, true, '*' }}",
  '{{ data.email | json_stringify }}',
  "{{ data | json: '$.number' | slice: 0, 6 }}",
  "{{ data.expiration_month | pad_left: 2, '0' }}/{{ data.expiration_year }}",
  "{{ data.number | hmac: 'sha256', 'key' | to_base64 }}",
];

const sampleMask = (type: TokenType): unknown => {
  const defaults = TOKEN_TYPES[type];
  return 'mask' in defaults
    ? defaults.mask
    : { name: '{{ data.name | slice: 0 }}', email: "{{ data.email | split: '@' | last }}" };
};

/** Tries expressions: as a mask over sample data, or over tokens as the service replaces them. */
export function Expressions() {
  const { service } = useWorkbench();
  return (
    <Page title="Expressions" summary="Try a mask on sample data, or what detokenizing gives.">
      <div class="columns even">
        <MaskForm />
        {service && <DetokenizeForm />}
      </div>
    </Page>
  );
}

function MaskForm() {
  const [type, setType] = useState<TokenType>('card');
  const [data, setData] = useState(formatJson(TOKEN_SAMPLES.card));
  const [expression, setExpression] = useState(formatJson(sampleMask('card')));
  const [result, setResult] = useState<{ result?: unknown } | undefined>();

  const choose = (name: string) => {
    const chosen = TOKEN_TYPE_NAMES.find((one) => one === name) ?? 'token';
    setType(chosen);
    setData(formatJson(TOKEN_SAMPLES[chosen]));
    setExpression(formatJson(sampleMask(chosen)));
    setResult(undefined);
  };
  const evaluate = async () => {
    setResult(undefined);
    const body = { expression: parseExpression(expression), data: parseJson('Sample data', data) };
    setResult(await callControl('expressions.evaluate', { body }));
  };
  return (
    <Panel title="Mask">
      <Form label="Mask" submit="Evaluate" onSubmit={evaluate}>
        <Select label="Sample of type" value={type} options={TOKEN_TYPE_NAMES} onChange={choose} />
        <TextField
          rows={6}
          label="Sample data"
          value={data}
          onChange={setData}
          hint="JSON, as data. Nothing is stored."
        />
        <TextField
          rows={6}
          label="Expression"
          value={expression}
          onChange={setExpression}
          hint="A text with {{ … }}, or JSON whose texts are expressions. Ctrl+Enter evaluates."
        />
      </Form>
      <div class="stack" role="status">
        {result &&
          (result.result === undefined ? (
            <p class="quiet">The expression has no value for this data.</p>
          ) : (
            <Json value={result.result} label="Result" />
          ))}
      </div>
      <details open>
        <summary>Examples</summary>
        <ul class="examples-list">
          {EXAMPLES.map((example) => (
            <li key={example}>
              <button type="button" class="link mono" onClick={() => setExpression(example)}>
                {example}
              </button>
            </li>
          ))}
        </ul>
      </details>
    </Panel>
  );
}

/** JSON if it looks like it, the text itself otherwise. */
function parseExpression(text: string): unknown {
  return /^\s*(\{(?!\{)|\[|")/.test(text) ? parseJson('Expression', text) : text;
}

function DetokenizeForm() {
  const { service } = useWorkbench();
  const [text, setText] = useState('{\n  "note": "Hello {{ <token id> }}"\n}');
  const [result, setResult] = useState<{ value: unknown } | undefined>();
  const evaluate = async () => {
    setResult(undefined);
    const value = await service?.call('detokenize', { body: parseExpression(text) });
    setResult({ value });
  };
  return (
    <Panel title="Detokenize">
      <Form label="Detokenize" submit="Detokenize" onSubmit={evaluate}>
        <TextField
          label="JSON with expressions"
          rows={8}
          value={text}
          onChange={setText}
          hint={
            <>
              <code>{'{{ <token id> }}'}</code> is the data of a token,{' '}
              <code>{'{{ token: <token id> }}'}</code> the whole token. At most 100 tokens; the audit log
              records each.
            </>
          }
        />
      </Form>
      <div role="status">
        {result && (
          <MaskedJson
            masked={maskContent(result.value, 'detokenize')}
            value={result.value}
            label="Detokenized"
          />
        )}
      </div>
    </Panel>
  );
}
